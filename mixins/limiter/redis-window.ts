import type { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import type { Rate } from "./limiter.ts";
import { SlidingWindowRes } from "./sliding-window.ts";

/** Redis' own clock, as an expression of Lua that gives microseconds. */
export const redisClock = `(function()
    local time = redis.call("TIME")
    return time[1] * 1000000 + time[2]
  end)()`;

/** The rule of `SlidingWindow` as a script, in place of the fixed window that rate-limiter-flexible has in Redis. */
export class RedisWindow extends RateLimiterRedis {
  constructor({ limit, windowMs }: Rate, redis: Redis, keyPrefix: string, clock: string) {
    const customIncrTtlLuaScript = slidingWindow(clock);
    super({
      storeClient: redis,
      points: limit,
      duration: windowMs / 1000,
      keyPrefix,
      customIncrTtlLuaScript,
    });
  }

  /** rate-limiter-flexible asks for it; its types leave it out. */
  protected _getRateLimiterRes(_key: string, _points: number, counted: number[]): SlidingWindowRes {
    const [count = 0, retryAfterMs = 0, resetMs = 0] = counted;
    return new SlidingWindowRes(this.points, { count, retryAfterMs, resetMs });
  }
}

/**
 * A sorted set for each key: the times, in microseconds, of the requests that passed. Of one time each has a number of
 * its own, and time stands still while the clock goes back by less than a second; by more, what lies ahead is forgotten.
 * KEYS: key. ARGV: points, a number that is not used, limit, seconds. Count, and the milliseconds until the next passes
 * and until all is free.
 */
const slidingWindow = (clock: string) => `
  local key, points, limit = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[3])
  local window = math.floor(ARGV[4] * 1000000 + 0.5)
  local function whole(number) return string.format("%.0f", number) end
  local function at(place)
    return tonumber(redis.call("ZRANGE", key, place, place, "WITHSCORES")[2])
  end
  local now = ${clock}
  redis.call("ZREMRANGEBYSCORE", key, whole(now + 1000000), "+inf")
  now = math.max(now, at(-1) or 0)
  redis.call("ZREMRANGEBYSCORE", key, "-inf", whole(now - window))
  local size = redis.call("ZCARD", key)
  local count = size + points
  if count <= limit then
    for n = size + 1, count do redis.call("ZADD", key, whole(now), whole(now) .. ":" .. n) end
    size = count
    -- Longer than it counts: when it ends is told by the times alone.
    redis.call("PEXPIRE", key, math.ceil(window / 1000) + 60000)
  end
  local function msUntil(time)
    return time and math.max(0, math.ceil((time + window - now) / 1000)) or 0
  end
  return {count, size >= limit and msUntil(at(size - limit)) or 0, msUntil(at(-1))}`;
