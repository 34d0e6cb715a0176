import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { giveUpShard, type Lease, type Share, type ShareWatch } from "./lease.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import { claim } from "./lease-scripts.ts";

export interface ShareOptions {
  redis: Redis;
  keeper: LeaseKeeper;
  /** The key of the pool's members in Redis. */
  members: string;
  pool: string;
  count: number;
  on: ShareWatch;
  /** Receives errors; the member continues. */
  onError: (error: unknown) => void;
}

/** A member of a pool: sends heartbeats, takes free shards up to its share, and gives up those above it. */
export class RedisShardShare implements Share {
  readonly #of: ShareOptions;
  readonly #member = randomUUID();
  readonly #held = new Map<number, Lease>();
  /** Shards that this member is giving up; their work here has not ended yet. */
  readonly #leaving = new Map<number, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(of: ShareOptions) {
    this.#of = of;
  }

  /** Resolves after the first round. */
  start(): Promise<void> {
    this.#round = this.#next();
    return this.#round;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Never rejects. */
  async #next(): Promise<void> {
    try {
      await this.#claim();
    } catch (error) {
      this.#of.onError(error);
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#next();
    }, this.#of.keeper.ttlMs / 10);
  }

  async #claim(): Promise<void> {
    const { redis, keeper, members, pool, count } = this.#of;
    const token = randomUUID();
    const askedAt = performance.now();
    const asked = [this.#member, keeper.keyOf(`${pool}/`), count, this.#held.size, token, keeper.ttlMs];
    const answer = await redis.eval(claim, 2, members, keeper.fences, ...asked);
    const [share = 0, ...taken] = answer as number[];
    for (let at = 0; at < taken.length; at += 2) {
      const [shard = 0, fence = 0] = taken.slice(at, at + 2);
      const lease = keeper.keep({ name: `${pool}/${shard}`, token, fence }, askedAt);
      // A lost shard may be free before its work here has ended; then another member may have it.
      if (this.#leaving.has(shard)) void lease.release();
      else this.#gain(shard, lease);
    }
    for (const [shard, lease] of [...this.#held].slice(share)) this.#leave(shard, lease);
  }

  #gain(shard: number, lease: Lease): void {
    this.#held.set(shard, lease);
    lease.signal.addEventListener("abort", () => {
      if (this.#held.get(shard) === lease) this.#leave(shard, lease);
    });
    this.#of.on.gained(shard, lease);
  }

  #leave(shard: number, lease: Lease): void {
    this.#held.delete(shard);
    const left = giveUpShard(shard, lease, this.#of.on).then(() => {
      this.#leaving.delete(shard);
    });
    this.#leaving.set(shard, left);
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#round;
    clearTimeout(this.#timer);
    for (const [shard, lease] of this.#held) this.#leave(shard, lease);
    await Promise.all(this.#leaving.values());
    try {
      await this.#of.redis.zrem(this.#of.members, this.#member);
    } catch (error) {
      this.#of.onError(error);
    }
  }
}
