import type { Redis } from "ioredis";
import { sleepUntilAborted } from "../../async/sleep.ts";
import { withSharedRedis } from "../../cluster/redis.ts";
import type { ClusterConfig } from "../../config/config.ts";
import type { Lease, OpenLeases } from "./lease.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { RedisShardShare } from "./redis-shard-share.ts";

/** The leases of a cluster, on the process' connection to Redis. */
export function openClusterLeases(cluster: ClusterConfig, onError: (error: unknown) => void): OpenLeases {
  return withSharedRedis(cluster, onError, openRedisLeases);
}

export interface RedisLeasesOptions {
  redis: Redis;
  /** Prefix of all keys. */
  namespace: string;
  /** Receives errors of waiting, renewing and releasing. */
  onError: (error: unknown) => void;
  /** The time after which a dead holder's leases are free; ten seconds by default. */
  ttlMs?: number;
}

/** The leases of a cluster, which end by the clock of Redis. */
export function openRedisLeases({
  redis,
  namespace,
  onError,
  ttlMs = 10_000,
}: RedisLeasesOptions): OpenLeases {
  const keeper = new LeaseKeeper({ redis, namespace, onError, ttlMs });
  const waitersByName = new Map<string, LeaseWaiters>();
  const shares = new Set<RedisShardShare>();
  const closing = new AbortController();
  const take = async (name: string) => {
    closing.signal.throwIfAborted();
    return await keeper.take(name);
  };
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort(new Error("The leases are closed"));
    await Promise.all([...shares].map(share => share.close()));
    await keeper.close();
  };
  return {
    take,
    wait: async (name, signal) => {
      const waiters = waitersByName.get(name) ?? new LeaseWaiters(name, take, onError);
      waitersByName.set(name, waiters);
      try {
        return await waiters.wait(AbortSignal.any([signal, closing.signal]));
      } finally {
        if (waiters.isEmpty && waitersByName.get(name) === waiters) waitersByName.delete(name);
      }
    },
    share: async (pool, count, on) => {
      closing.signal.throwIfAborted();
      const members = `${namespace}:lease-members:${pool}`;
      const share = new RedisShardShare({ redis, keeper, members, pool, count, on, onError });
      shares.add(share);
      await share.start();
      return share;
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

const firstPauseMs = 50;
const longestPauseMs = 1000;

/** Null when another holds it. */
type Take = (name: string) => Promise<Lease | null>;

/** The requests of this process that wait for one name: one loop asks for all, and the first in line gets the lease. */
export class LeaseWaiters {
  readonly #name: string;
  readonly #take: Take;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Set<(lease: Lease) => void>();
  #askNow = new AbortController();
  #isAsking = false;

  constructor(name: string, take: Take, onError: (error: unknown) => void) {
    this.#name = name;
    this.#take = take;
    this.#onError = onError;
  }

  wait(signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const abort = () => {
        this.#waiting.delete(grant);
        this.#askNow.abort();
        reject(signal.reason);
      };
      const grant = (lease: Lease) => {
        signal.removeEventListener("abort", abort);
        this.#waiting.delete(grant);
        resolve(lease);
      };
      signal.addEventListener("abort", abort);
      this.#waiting.add(grant);
      if (!this.#isAsking) void this.#ask();
    });
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Never rejects. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    let pauseMs = firstPauseMs;
    while (!this.isEmpty) {
      const lease = await this.#attempt();
      const [first] = this.#waiting;
      if (lease && first) {
        this.#passOn(lease, first);
        pauseMs = firstPauseMs;
      } else await lease?.release();
      if (this.isEmpty) break;
      // Other nodes ask as often; the random part keeps them from asking at the same moments.
      this.#askNow = new AbortController();
      await sleepUntilAborted(pauseMs * (0.5 + Math.random()), this.#askNow.signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
    this.#isAsking = false;
  }

  #passOn(lease: Lease, grant: (lease: Lease) => void): void {
    lease.signal.addEventListener("abort", () => this.#askNow.abort());
    grant(lease);
  }

  /** Null, too, for a lease that was lost before the answer came, as after an outage of Redis. */
  async #attempt(): Promise<Lease | null> {
    try {
      const lease = await this.#take(this.#name);
      if (!lease || lease.isHeld()) return lease;
      await lease.release();
      return null;
    } catch (error) {
      this.#onError(error);
      return null;
    }
  }
}
