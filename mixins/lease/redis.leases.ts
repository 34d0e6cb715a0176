import type { Redis } from "ioredis";
import { Keeper } from "./keeper.ts";
import type { OpenLeases } from "./lease.ts";
import { Line } from "./line.ts";
import { RedisShare } from "./redis-share.ts";

export interface RedisLeasesOptions {
  redis: Redis;
  /** Begins all keys. */
  namespace: string;
  /** Hears of what hinders waiting, renewing and releasing. */
  onError: (error: unknown) => void;
  /** Within which a dead holder's leases are free; ten seconds unless told. */
  ttlMs?: number;
}

/** The leases of a cluster. Redis tells by its own clock when one ends. */
export function openRedisLeases({
  redis,
  namespace,
  onError,
  ttlMs = 10_000,
}: RedisLeasesOptions): OpenLeases {
  const keeper = new Keeper({ redis, namespace, onError, ttlMs });
  const lines = new Map<string, Line>();
  const shares = new Set<RedisShare>();
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
      const line = lines.get(name) ?? new Line(name, take, onError);
      lines.set(name, line);
      try {
        return await line.wait(AbortSignal.any([signal, closing.signal]));
      } finally {
        if (line.isEmpty && lines.get(name) === line) lines.delete(name);
      }
    },
    share: async (pool, count, on) => {
      closing.signal.throwIfAborted();
      const members = `${namespace}:lease-members:${pool}`;
      const share = new RedisShare({ redis, keeper, members, pool, count, on, onError });
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
