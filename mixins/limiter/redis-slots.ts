import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { answered } from "../redis/away.ts";

/** After this, the slots of a node that has died are free. */
const ttlMs = 10_000;
const renewalMs = 3000;

export interface RedisSlotsOptions {
  redis: Redis;
  /** Begins the keys. */
  prefix: string;
  /** Hears of what hinders renewing and giving back. */
  onError: (error: unknown) => void;
}

/** Concurrency slots of all nodes: a sorted set for each key, of holders by the end of their hold. */
export class RedisSlots {
  readonly #of: RedisSlotsOptions;
  /** Holder -> key. */
  readonly #held = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(of: RedisSlotsOptions) {
    this.#of = of;
  }

  async acquire(key: string, max: number): Promise<(() => void) | null> {
    const { redis, prefix } = this.#of;
    const holder = randomUUID();
    const place = `${prefix}:${key}`;
    if ((await answered(redis.eval(acquire, 1, place, holder, max, ttlMs))) !== 1) return null;
    this.#held.set(holder, place);
    this.#timer ??= setInterval(() => void this.#renew(), renewalMs);
    return () => void this.#giveBack(holder);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#held.keys()].map(holder => this.#giveBack(holder)));
  }

  /** What has ended in Redis meanwhile is written anew: its work goes on, and counts. */
  async #renew(): Promise<void> {
    const { redis, onError } = this.#of;
    if (this.#held.size === 0) return;
    try {
      await redis.eval(renew, this.#held.size, ...this.#held.values(), ttlMs, ...this.#held.keys());
    } catch (error) {
      onError(error);
    }
  }

  async #giveBack(holder: string): Promise<void> {
    const { redis, onError } = this.#of;
    const place = this.#held.get(holder);
    if (place === undefined) return;
    this.#held.delete(holder);
    try {
      await redis.zrem(place, holder);
    } catch (error) {
      onError(error);
    }
  }
}

const clock = `
  local time = redis.call("TIME")
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** KEYS: key. ARGV: holder, slots, ms. */
const acquire = `${clock}
  redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
  if redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call("ZADD", KEYS[1], now + ARGV[3], ARGV[1])
  redis.call("PEXPIRE", KEYS[1], ARGV[3])
  return 1`;

/** KEYS: one key for each holder. ARGV: ms, holders. */
const renew = `${clock}
  for n, key in ipairs(KEYS) do
    redis.call("ZADD", key, now + ARGV[1], ARGV[n + 1])
    redis.call("PEXPIRE", key, ARGV[1])
  end`;
