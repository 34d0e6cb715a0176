import { setTimeout as sleep } from "node:timers/promises";

/** Lets work begin at most so often: each turn comes at least `intervalMs` after the one before. */
export class Pacer {
  readonly #intervalMs: number;
  readonly #now: () => number;
  #nextAt = 0;

  constructor(intervalMs: number, now: () => number = () => performance.now()) {
    this.#intervalMs = intervalMs;
    this.#now = now;
  }

  /** Resolves when it is the caller's turn. Rejects with the signal's reason; its turn has passed then. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#intervalMs;
    if (at > now) await sleep(at - now, undefined, { signal });
  }
}
