import type { Redis } from "ioredis";
import { answered } from "../redis/away.ts";
import { byRate } from "./by-rate.ts";
import type { OpenLimiter } from "./limiter.ts";
import { RedisSlots } from "./redis-slots.ts";
import { RedisWindow, redisClock } from "./redis-window.ts";

export interface RedisLimiterOptions {
  redis: Redis;
  /** Begins all keys. */
  namespace: string;
  /** Hears of what hinders the slots. */
  onError: (error: unknown) => void;
  /** An expression of Lua that gives microseconds. */
  clock?: string;
}

/** The limiter of a cluster, which counts in Redis, by its clock. */
export function redisLimiter({
  redis,
  namespace,
  onError,
  clock = redisClock,
}: RedisLimiterOptions): OpenLimiter {
  const consume = byRate(rate => new RedisWindow(rate, redis, `${namespace}:rate`, clock));
  const slots = new RedisSlots({ redis, prefix: `${namespace}:slots`, onError });
  return {
    consume: (key, rate) => answered(consume(key, rate)),
    acquire: (key, max) => slots.acquire(key, max),
    close: () => slots.close(),
  };
}
