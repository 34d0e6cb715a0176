import { setTimeout as delay } from "node:timers/promises";
import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import { codeOf } from "../../contracts/errors.ts";

const askAgainMs = 100;

/**
 * The browser as crawls have it. A page that was fetched for a crawl must not be fetched again, so it waits for its turn,
 * until its signal fires, where a scrape would be refused. At most `width` of them are in the pool, waiting or shown:
 * the rest of its queue is left to scrapes.
 */
export function patientPool(pool: BrowserPool, width: number): BrowserPool {
  const turns = new Turns(width);
  return {
    ...pool,
    run: async (spec, signal, task) => {
      await turns.enter(signal);
      try {
        return await whenFree(pool, signal, () => pool.run(spec, signal, task));
      } finally {
        turns.leave();
      }
    },
  };
}

/** Waiting helps against a full queue, and not where no browser starts. */
async function whenFree<T>(pool: BrowserPool, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (codeOf(error) !== "overloaded" || pool.problem() !== undefined) throw error;
    }
    await delay(askAgainMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** So many at a time; the others in the order in which they came. */
class Turns {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(width: number) {
    this.#free = width;
  }

  /** Rejects with the signal's reason when that fires first. */
  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
  }

  /** A place passes on as it is. */
  leave(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#free += 1;
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        this.#waiting.delete(begin);
        signal.removeEventListener("abort", giveUp);
        end();
      };
      const begin = () => settle(resolve);
      const giveUp = () => settle(() => reject(signal.reason));
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.add(begin);
    });
  }
}
