const hourMs = 3_600_000;
export const maxIntervalMs = 24 * hourMs;
/** The longest backoff, so that a source that is back is noticed on the same day. */
const maxBackoffMs = 6 * hourMs;

interface PollConditions {
  /** Consecutive failed polls, including this one; 0 after a successful one. */
  failures: number;
  gone: boolean;
  /**
   * The interval that the source's hints and habits suggest after a successful poll, or its `Retry-After` after a
   * failed one.
   */
  wantedMs: number;
}

/**
 * The span, in milliseconds from now, in which the next poll is due. After a successful poll it has a tenth of slack,
 * to spread out polls that have become synchronised; after failures the wait doubles, and half of it is slack.
 */
export function nextPollWithin(
  { failures, gone, wantedMs }: PollConditions,
  minIntervalMs: number,
  longestMs = maxIntervalMs,
): { fromMs: number; toMs: number } {
  if (gone) return { fromMs: maxIntervalMs, toMs: maxIntervalMs };
  const wanted = Math.min(Math.max(wantedMs, minIntervalMs), longestMs);
  if (failures === 0) return { fromMs: wanted, toMs: Math.min(wanted * 1.1, longestMs) };
  const ceiling = Math.min(minIntervalMs * 2 ** failures, Math.max(maxBackoffMs, minIntervalMs));
  return { fromMs: Math.max(wanted, ceiling / 2), toMs: Math.max(wanted, ceiling) };
}

const bucketMs = 10;
/** How far ahead due dates are counted: some ten minutes. */
const buckets = 65_536;
const candidates = 8;
/** The part of the wait, before and after now, that is compared to find the trend. */
const reach = 0.3;
/** The most buckets that are sampled on either side. */
const samples = 64;
/** The trend weighs more than neighbours; otherwise crowded parts of a round would shrink only slowly. */
const trendWeight = 2;

/**
 * Chooses due dates within an allowed span, so that the load spreads evenly. Polls that a standstill or chance has
 * synchronised would otherwise stay together for hundreds of rounds. It picks the least busy of a few random times,
 * judged by two counts: the due dates already chosen around that time, which are few, since most of the next round is
 * not chosen yet; and the load of the present round, by which a poll from the front of a crowd moves early and one from
 * its back moves late.
 */
export class PollSpreader {
  readonly #random: () => number;
  /** The chosen due dates per bucket, and the lap that they belong to: the buckets are reused one after another. */
  readonly #counts = new Uint16Array(buckets);
  readonly #laps = new Uint32Array(buckets);

  /** `random` returns from 0 to below 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /**
   * Returns the least busy of a few random times within a span. `now` is the caller's time in this round, so that the
   * wait is from `now` to `from`. All in milliseconds.
   */
  pick(from: number, to: number, now: number): number {
    const trend = this.#trend(now, (from - now) * reach);
    let [picked, fewest] = [from, Number.POSITIVE_INFINITY];
    for (let drawn = 0; drawn < candidates; drawn += 1) {
      const part = this.#random();
      const at = Math.round(from + (to - from) * part);
      const crowd = this.#crowdAt(Math.floor(at / bucketMs)) + trendWeight * trend * part;
      if (crowd < fewest) [picked, fewest] = [at, crowd];
    }
    this.#count(Math.floor(picked / bucketMs));
    return picked;
  }

  /** How much the buckets ahead are fuller than those behind, on average. */
  #trend(now: number, lengthMs: number): number {
    return this.#average(now, now + lengthMs) - this.#average(now - lengthMs, now);
  }

  #average(from: number, to: number): number {
    const count = Math.min(samples, Math.floor((to - from) / bucketMs));
    let sum = 0;
    for (let n = 0; n < count; n += 1)
      sum += this.#countOf(Math.floor((from + ((to - from) * n) / count) / bucketMs));
    return count === 0 ? 0 : sum / count;
  }

  /** Due dates around a bucket; distant buckets count less. */
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
