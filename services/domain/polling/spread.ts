const bucketMs = 10;
/** Ahead of which moments are remembered: some ten minutes. */
const buckets = 65_536;
const lots = 8;
/** Of the wait: so far back and ahead of the present is looked for whether the crowd is thinner there. */
const reach = 0.3;
/** Buckets that are looked at on either side, evenly, where there are more. */
const samples = 64;
/** What weighs more than neighbours: the parts of a round that have too many would else shrink by them alone, slowly. */
const tideWeight = 2;

/**
 * Spreads what may be done a little sooner or later over the moments at which little is to be done. What a standstill or
 * chance has brought together would else stay together for hundreds of rounds: crowds, and nothing between them.
 *
 * Two things count against a moment. Those that were picked about it already are few at most, since most of the others
 * of the next round have not picked yet. How full that part of the round will be, the present one tells: who comes from
 * the front of a crowd goes as early as may be, who comes from its back as late.
 */
export class Spread {
  readonly #random: () => number;
  /** How often the moments of a bucket were picked, and in which lap: the buckets serve in turn. */
  readonly #counts = new Uint16Array(buckets);
  readonly #laps = new Uint32Array(buckets);

  /** `random` answers from 0 to below 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Of a few moments in a span of time, drawn by lot, the one that has the fewest about it. `now` is this round's moment of
   * whoever asks, so that the wait is from `now` to `from`. All in milliseconds.
   */
  pick(from: number, to: number, now: number): number {
    const tide = this.#tide(now, (from - now) * reach);
    let [picked, fewest] = [from, Number.POSITIVE_INFINITY];
    for (let drawn = 0; drawn < lots; drawn += 1) {
      const part = this.#random();
      const at = Math.round(from + (to - from) * part);
      const crowd = this.#crowdAt(Math.floor(at / bucketMs)) + tideWeight * tide * part;
      if (crowd < fewest) [picked, fewest] = [at, crowd];
    }
    this.#count(Math.floor(picked / bucketMs));
    return picked;
  }

  /** How many more a bucket has in the time ahead than in the same time that has passed, on the average. */
  #tide(now: number, lengthMs: number): number {
    return this.#average(now, now + lengthMs) - this.#average(now - lengthMs, now);
  }

  #average(from: number, to: number): number {
    const count = Math.min(samples, Math.floor((to - from) / bucketMs));
    let sum = 0;
    for (let n = 0; n < count; n += 1)
      sum += this.#countOf(Math.floor((from + ((to - from) * n) / count) / bucketMs));
    return count === 0 ? 0 : sum / count;
  }

  /** Per bucket, those further off counting less. */
  #crowdAt(bucket: number): number {
    return (this.#countOf(bucket - 1) + 2 * this.#countOf(bucket) + this.#countOf(bucket + 1)) / 4;
  }

  #countOf(bucket: number): number {
    const place = bucket % buckets;
    return this.#laps[place] === Math.floor(bucket / buckets) ? (this.#counts[place] ?? 0) : 0;
  }

  #count(bucket: number): void {
    const place = bucket % buckets;
    this.#counts[place] = this.#countOf(bucket) + 1;
    this.#laps[place] = Math.floor(bucket / buckets);
  }
}
