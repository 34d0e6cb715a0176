import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { withSharedRedis } from "../../cluster/redis.ts";
import { isUnavailable, mapRedisErrors } from "../../cluster/redis-errors.ts";
import type { ClusterConfig } from "../../config/config.ts";
import type { OpenLimiter, Rate } from "./limiter.ts";
import { byRate, SlidingWindow, SlidingWindowRes, WindowLogs } from "./sliding-window.ts";

/** The limiter of a cluster, on the process' connection to Redis. */
export function openClusterLimiter(cluster: ClusterConfig, onError: (error: unknown) => void): OpenLimiter {
  return withSharedRedis(cluster, onError, redisLimiter);
}

export interface RedisLimiterOptions {
  redis: Redis;
  /** Prefix of all keys. */
  namespace: string;
  /** Receives errors of the slots. */
  onError: (error: unknown) => void;
  /** An expression of Lua that gives microseconds. */
  clock?: string;
}

/** The limiter of a cluster, which counts in Redis and by its clock. */
export function redisLimiter({
  redis,
  namespace,
  onError,
  clock = redisClock,
}: RedisLimiterOptions): OpenLimiter {
  const logs = new WindowLogs();
  const { consume, peek } = byRate(rate => {
    const insurance = rate.isInsured ? new SlidingWindow(rate, logs, () => performance.now()) : undefined;
    return new RedisWindow(rate, { redis, keyPrefix: `${namespace}:rate`, clock, insurance });
  });
  const slots = new RedisSlots({ redis, prefix: `${namespace}:slots`, onError });
  return {
    consume: (key, rate) => mapRedisErrors(consume(key, rate)),
    peek: (key, rate) => mapRedisErrors(peek(key, rate)),
    acquire: (key, max, holder) => slots.acquire(key, max, holder),
    close: () => slots.close(),
  };
}

/** Redis' own clock, as an expression of Lua that gives microseconds. */
export const redisClock = `(function()
    local time = redis.call("TIME")
    return time[1] * 1000000 + time[2]
  end)()`;

interface RedisWindowOptions {
  redis: Redis;
  keyPrefix: string;
  clock: string;
  /** Counts while Redis gives no answer. */
  insurance: SlidingWindow | undefined;
}

/**
 * The rule of `SlidingWindow` as a script, in place of the fixed window that rate-limiter-flexible has in Redis. The package
 * runs the script, refuses a key by itself while its window is full, and asks the insurance (docs/decisions/0225).
 */
class RedisWindow extends RateLimiterRedis {
  readonly #windowMs: number;
  /** How much later than the next request the whole limit is free, for keys whose window is full. */
  readonly #rests = new Map<string, number>();

  constructor({ limit, windowMs }: Rate, { redis, keyPrefix, clock, insurance }: RedisWindowOptions) {
    super({
      storeClient: redis,
      points: limit,
      duration: windowMs / 1000,
      keyPrefix,
      customIncrTtlLuaScript: slidingWindow(clock),
      inMemoryBlockOnConsumed: limit,
      insuranceLimiter: insurance,
    });
    this.#windowMs = windowMs;
  }

  override async consume(key: string, points = 1): Promise<RateLimiterRes> {
    try {
      return await super.consume(key, points);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes) || refusal instanceof SlidingWindowRes) throw refusal;
      // The package remembers by the machine's clock. It was set back if a window stays full for longer than a window.
      if (refusal.msBeforeNext > this.#windowMs) {
        this.deleteInMemoryBlockedAll();
        return await this.consume(key, points);
      }
      throw this.#full(this.getKey(key), points, refusal.msBeforeNext);
    }
  }

  /** The refusal of a key that the package did not ask Redis about: nothing passes in a full window, on any node. */
  #full(key: string, points: number, retryAfterMs: number): SlidingWindowRes {
    const rest = this.#rests.get(key) ?? this.#windowMs - retryAfterMs;
    return new SlidingWindowRes(this.points, {
      count: this.points + points,
      retryAfterMs,
      resetMs: retryAfterMs + rest,
    });
  }

  /** The insurance counts while Redis cannot be reached. Any other error is one of the installation, and is thrown. */
  protected _handleError(
    error: unknown,
    name: string,
    resolve: (result: unknown) => void,
    reject: (error: unknown) => void,
    args: unknown[],
  ): void {
    const inherited = RateLimiterRedis.prototype as unknown as { _handleError: RedisWindow["_handleError"] };
    if (isUnavailable(error)) inherited._handleError.call(this, error, name, resolve, reject, args);
    else reject(error);
  }

  /** rate-limiter-flexible calls it, although its types leave it out. */
  protected _getRateLimiterRes(key: string, _points: number, counted: number[]): SlidingWindowRes {
    const [count = 0, retryAfterMs = 0, resetMs = 0] = counted;
    this.#remember(key, count < this.points ? undefined : resetMs - retryAfterMs);
    return new SlidingWindowRes(this.points, { count, retryAfterMs, resetMs });
  }

  #remember(key: string, rest: number | undefined): void {
    this.#rests.delete(key);
    if (rest === undefined) return;
    this.#rests.set(key, rest);
    const [oldest] = this.#rests.keys();
    if (this.#rests.size > restsKept && oldest !== undefined) this.#rests.delete(oldest);
  }
}

/** Without its rest a key is said to be free after a whole window, which is never too early. */
const restsKept = 10_000;

/**
 * A sorted set for each key: the times, in microseconds, of the requests that passed. Requests of one time have different
 * numbers. When the clock goes back by less than a second, time stops until it catches up; when it goes back further, the
 * script drops the times in the future. KEYS: key. ARGV: points, an unused number, limit, seconds. Returns the count, and
 * the milliseconds until the next request passes and until all is free.
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
    -- Longer than the window: only the times decide what counts.
    redis.call("PEXPIRE", key, math.ceil(window / 1000) + 60000)
  end
  local function msUntil(time)
    return time and math.max(0, math.ceil((time + window - now) / 1000)) or 0
  end
  return {count, size >= limit and msUntil(at(size - limit)) or 0, msUntil(at(-1))}`;

/** After this time the slots of a dead node are free. */
const ttlMs = 10_000;
const renewalMs = 3000;

export interface RedisSlotsOptions {
  redis: Redis;
  /** Prefix of the keys. */
  prefix: string;
  /** Receives errors of renewing and releasing. */
  onError: (error: unknown) => void;
}

/** Concurrency slots of all nodes: a sorted set of holders for each key, by the time at which their slot ends. */
export class RedisSlots {
  readonly #of: RedisSlotsOptions;
  /** Holder -> key. */
  readonly #held = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(of: RedisSlotsOptions) {
    this.#of = of;
  }

  async acquire(key: string, max: number, holder: string = randomUUID()): Promise<(() => void) | null> {
    const { redis, prefix } = this.#of;
    const place = `${prefix}:${key}`;
    if ((await mapRedisErrors(redis.eval(acquire, 1, place, holder, max, ttlMs))) !== 1) return null;
    this.#held.set(holder, place);
    this.#timer ??= setInterval(() => void this.#renew(), renewalMs);
    return () => void this.#giveBack(holder);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#held.keys()].map(holder => this.#giveBack(holder)));
  }

  /** Writes a slot that has ended in Redis meanwhile again: its work continues, and counts. */
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
  local isNew = not redis.call("ZSCORE", KEYS[1], ARGV[1])
  if isNew and redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call("ZADD", KEYS[1], now + ARGV[3], ARGV[1])
  redis.call("PEXPIRE", KEYS[1], ARGV[3])
  return 1`;

/** KEYS: one key for each holder. ARGV: ms, holders. */
const renew = `${clock}
  for n, key in ipairs(KEYS) do
    redis.call("ZADD", key, now + ARGV[1], ARGV[n + 1])
    redis.call("PEXPIRE", key, ARGV[1])
  end`;
