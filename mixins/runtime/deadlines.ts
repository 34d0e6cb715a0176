/** What one piece of work has, to end it early. */
export interface Deadline {
  clear(): void;
}

/**
 * Deadlines of many short pieces of work. One gets a timer of its own only when it is still there after the present turn of
 * the event loop, so that the time counts from then: setting and clearing a timer takes as long as many a call.
 */
export class Deadlines {
  #young: Waiting[] = [];

  /** Calls `onLate` after so many milliseconds, unless it is cleared. */
  add(ms: number, onLate: () => void): Deadline {
    const waiting = new Waiting(ms, onLate);
    if (this.#young.push(waiting) === 1) setImmediate(this.#settle);
    return waiting;
  }

  readonly #settle = (): void => {
    const young = this.#young;
    this.#young = [];
    for (const waiting of young) waiting.start();
  };
}

class Waiting implements Deadline {
  readonly #ms: number;
  #onLate: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, onLate: () => void) {
    this.#ms = ms;
    this.#onLate = onLate;
  }

  start(): void {
    if (this.#onLate) this.#timer = setTimeout(this.#onLate, this.#ms);
  }

  clear(): void {
    this.#onLate = undefined;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
