import { type Rate, TokenBucket } from "../../domain/delivery/token-bucket.ts";

const mostKept = 1_000;

/** What a lane may send now, and when it may send more. */
interface Paced<Unit> {
  send: Unit[];
  readyAt?: number;
}

/** The rates of lanes, also while they have nothing to send and are not in memory. */
export class Paces {
  readonly #buckets = new Map<string, TokenBucket>();

  /** The first of these attempts that the rate permits, in their order. */
  limit<Unit extends { length: number }>(
    laneId: string,
    rate: Rate | null | undefined,
    send: Unit[],
    now: number,
  ): Paced<Unit> {
    if (!rate) {
      this.#buckets.delete(laneId);
      return { send };
    }
    const bucket = this.#bucketOf(laneId, rate, now);
    const refused = send.findIndex(({ length }) => !bucket.take(length, now));
    const next = send[refused];
    return next ? { send: send.slice(0, refused), readyAt: bucket.readyAt(next.length, now) } : { send };
  }

  forget(laneId: string): void {
    this.#buckets.delete(laneId);
  }

  #bucketOf(laneId: string, rate: Rate, now: number): TokenBucket {
    const known = this.#buckets.get(laneId);
    if (known?.rate.per_second === rate.per_second && known.rate.burst === rate.burst) return known;
    // A full bucket is as good as a new one.
    if (this.#buckets.size >= mostKept)
      for (const [id, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(id);
    const bucket = new TokenBucket(rate, now);
    this.#buckets.set(laneId, bucket);
    return bucket;
  }
}
