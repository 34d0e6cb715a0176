import { setTimeout as pause } from "node:timers/promises";
import type { Limiter } from "../../mixins/limiter/limiter.ts";
import { fail } from "../contracts/errors.ts";

/** Milliseconds until a place at a host that other processes have taken is asked for again. */
const lookAgainMs = 100;

/**
 * Lets at most `width` works at a time go to each host, of all processes together: those of this one wait in order, and
 * whoever is first waits for a place.
 */
export class HostLanes {
  private readonly name: string;
  private readonly lanes = new Map<string, { active: number; waiting: (() => void)[] }>();
  private readonly width: number;
  private readonly limiter: Pick<Limiter, "acquire">;

  /** Lanes of the same name are the same. */
  constructor(name: string, width: number, limiter: Pick<Limiter, "acquire">) {
    this.name = name;
    this.width = width;
    this.limiter = limiter;
  }

  /** Throws `overloaded` when the turn does not come before the signal. */
  async run<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(host, signal);
    try {
      const giveBack = await this.place(host, signal);
      return await work().finally(giveBack);
    } finally {
      this.leave(host);
    }
  }

  private enter(host: string, signal: AbortSignal): Promise<void> | undefined {
    const lane = this.lanes.get(host) ?? { active: 0, waiting: [] };
    this.lanes.set(host, lane);
    if (lane.active < this.width) {
      lane.active++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        lane.waiting = lane.waiting.filter(each => each !== turn);
        reject(crowded(signal.reason));
      };
      if (signal.aborted) return giveUp();
      signal.addEventListener("abort", giveUp, { once: true });
      lane.waiting.push(turn);
    });
  }

  private async place(host: string, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      const giveBack = await this.limiter.acquire(`connectors/${this.name}/${host}`, this.width);
      if (giveBack) return giveBack;
      await pause(lookAgainMs, undefined, { signal }).catch(error => {
        throw crowded(error);
      });
    }
  }

  /** A turn passes on as it is, so that `active` stays. */
  private leave(host: string): void {
    const lane = this.lanes.get(host);
    const next = lane?.waiting.shift();
    if (next) next();
    else if (lane && --lane.active === 0) this.lanes.delete(host);
  }
}

function crowded(cause: unknown): Error {
  return fail("overloaded", "Too many requests to this host are under way; try again later.", {}, cause);
}
