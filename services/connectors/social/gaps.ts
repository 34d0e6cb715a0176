/** Milliseconds for which what comes live waits at most: a busy source is not polled for ever instead. */
const longestMs = 60_000;

/**
 * Sources of which something may have been missed and not been read yet. What comes in live meanwhile waits for that
 * reading, so that it is not told before what came earlier.
 */
export class Gaps {
  readonly #open = new Map<string, { until: number; times: number; readings: Map<string, number> }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Something has been missed. */
  open(externalId: string): void {
    const { times = 0, readings = new Map() } = this.#open.get(externalId) ?? {};
    this.#open.set(externalId, { until: this.#now() + longestMs, times: times + 1, readings });
  }

  /** Something came that waits for the reading; one that has begun may not find it. False where nothing was missed. */
  isWaitedFor(externalId: string): boolean {
    const gap = this.#open.get(externalId);
    if (!gap) return false;
    gap.times += 1;
    if (gap.until > this.#now()) return true;
    this.#open.delete(externalId);
    return false;
  }

  /** A reading begins, here or in another process. */
  reading(externalId: string, reading: string): void {
    const gap = this.#open.get(externalId);
    gap?.readings.set(reading, gap.times);
  }

  /** It has ended. What was opened meanwhile stays open. */
  read(externalId: string, reading: string): void {
    const gap = this.#open.get(externalId);
    if (gap?.readings.get(reading) === gap?.times) this.#open.delete(externalId);
    else gap?.readings.delete(reading);
  }
}
