import { setTimeout as sleep } from "node:timers/promises";
import { FairSemaphore } from "../../../mixins/async/fair-semaphore.ts";
import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import { codeOf } from "../../contracts/errors.ts";

const askAgainMs = 100;

/**
 * The browser pool for crawls. A page that a crawl has fetched must not be fetched again, so it waits until its signal
 * fires where a scrape would be refused. At most `width` pages of crawls are in the pool, waiting or shown, which leaves
 * the rest of its queue to scrapes.
 */
export function waitingPool(pool: BrowserPool, width: number): BrowserPool {
  const queue = new FairSemaphore({ width });
  return {
    ...pool,
    run: (spec, signal, task) =>
      queue.run(spec.tenant, signal, () => whenFree(pool, signal, () => pool.run(spec, signal, task))),
  };
}

/** Waits while the queue is full, but not if no browser can start. */
async function whenFree<T>(pool: BrowserPool, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (codeOf(error) !== "overloaded" || pool.problem() !== undefined) throw error;
    }
    await sleep(askAgainMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
