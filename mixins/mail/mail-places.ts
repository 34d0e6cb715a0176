import { FairSemaphore } from "../async/fair-semaphore.ts";

/** Exchanges with the server at a time: many servers take few connections of one client. */
const width = 8;
/** Places that one group leaves to others. */
const perGroup = 4;
/** Places of all slow groups together, one each: however many there are, the others have places. */
const slowWidth = 4;

/** Limits how many exchanges there are at a time, in all, of each group, and of groups whose last one was slow. */
export class MailPlaces {
  readonly #all = new FairSemaphore({ width, perGroup });
  readonly #ofSlow = new FairSemaphore({ width: slowWidth, perGroup: 1 });
  readonly #slow = new Set<string>();
  readonly #slowMs: number;

  /** Milliseconds from which an exchange is slow. */
  constructor(slowMs = 5_000) {
    this.#slowMs = slowMs;
  }

  /** Rejects with the signal's reason when it fires before there is a place. */
  async run<T>(group: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (!this.#slow.has(group)) {
      const leave = await this.#all.acquire(group, signal);
      try {
        // Others of its group may have shown meanwhile that it is slow.
        if (!this.#slow.has(group)) return await this.#timed(group, work);
      } finally {
        leave();
      }
    }
    return await this.#ofSlow.run(group, signal, () =>
      this.#all.run(group, signal, () => this.#timed(group, work)),
    );
  }

  async #timed<T>(group: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      if (performance.now() - began < this.#slowMs) this.#slow.delete(group);
      else this.#slow.add(group);
    }
  }
}
