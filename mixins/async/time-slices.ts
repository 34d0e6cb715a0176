import { setImmediate as yieldToLoop } from "node:timers/promises";

/** Milliseconds of work before other work runs. */
const sliceMs = 5;

/** Divides long work into slices by time. Between them everything else runs that waits. */
export class TimeSlices {
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  #beganAt: number;

  constructor(signal: AbortSignal, now: () => number = () => performance.now()) {
    this.#signal = signal;
    this.#now = now;
    this.#beganAt = now();
  }

  /**
   * Called after each step of the work; ends the slice if it is over. Resolves with false when the signal has fired: the
   * rest of the work is left.
   */
  async next(): Promise<boolean> {
    if (this.#now() - this.#beganAt >= sliceMs) {
      await yieldToLoop();
      this.#beganAt = this.#now();
    }
    return !this.#signal.aborted;
  }
}
