import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { withSharedRedis } from "../../cluster/redis.ts";
import { mapRedisErrors } from "../../cluster/redis-errors.ts";
import type { ClusterConfig } from "../../config/config.ts";
import { type OpenHostPoliteness, pace, waitUntilAllowed } from "./host-politeness.ts";

/** The host politeness of a cluster, on the process' connection to Redis. */
export function openClusterHostPoliteness(
  cluster: ClusterConfig,
  onError: (error: unknown) => void,
): OpenHostPoliteness {
  return withSharedRedis(cluster, onError, openRedisHostPoliteness);
}

export interface RedisHostPolitenessOptions {
  redis: Redis;
  /** Prefix of all keys. */
  namespace: string;
  /** Receives errors of asking, renewing and releasing. */
  onError: (error: unknown) => void;
  /** After this time the requests of a dead process count no more; ten seconds by default. */
  requestMs?: number;
}

/** Longer than the time between two questions of a waiting request. */
const aliveMs = 5000;

/** The host politeness of a cluster, by the clock of Redis. A request is renewed until it ends. */
export function openRedisHostPoliteness({
  redis,
  namespace,
  onError,
  requestMs = 10_000,
}: RedisHostPolitenessOptions): OpenHostPoliteness {
  const closing = new AbortController();
  const leaving = new Set<() => Promise<void>>();
  const run = (script: string, host: string, ...values: (string | number)[]) => {
    const keys = keyNames.map(name => `${namespace}:host:${host}:${name}`);
    return mapRedisErrors(redis.eval(script, keys.length, ...keys, ...values));
  };
  const startRequest = (host: string, request: string) => {
    const renewal = setInterval(
      () => run(renewScript, host, requestMs, request).catch(onError),
      requestMs / 4,
    );
    const leave = async () => {
      if (!leaving.delete(leave)) return;
      clearInterval(renewal);
      await run(leaveScript, host, request).catch(onError);
    };
    leaving.add(leave);
    return () => void leave();
  };
  return {
    acquire: async (host, { width, spacingMs }, signal) => {
      const request = randomUUID();
      const ask = async () => {
        const answer = Number(
          await run(askScript, host, request, width, Math.ceil(spacingMs), requestMs, aliveMs),
        );
        return answer < 0 ? "full" : answer;
      };
      try {
        await waitUntilAllowed(ask, AbortSignal.any([signal, closing.signal]), onError);
      } catch (error) {
        void run(leaveScript, host, request).catch(onError);
        throw error;
      }
      return startRequest(host, request);
    },
    backOff: async (host, ms) => {
      await run(backOffScript, host, Math.ceil(ms));
    },
    close: async () => {
      closing.abort(new Error("Host politeness is closed"));
      await Promise.all([...leaving].map(leave => leave()));
    },
  };
}

/** The beginning of every script: the time of Redis in milliseconds, and the keys of a host. */
const opening = `
  local visits, line, seen, rest, paused, pace = unpack(KEYS)
  local time = redis.call("TIME")
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * KEYS of all scripts. Three sorted sets of requests: `visits`, the running ones by when they end unless renewed; `line`,
 * the waiting ones by when they came; `seen`, the waiting ones by how long they count as alive. `rest` exists for as long
 * as no request may begin, `paused` for as long as the host has asked for that. `pace` has the milliseconds between
 * requests to a host that has asked for pauses.
 */
const keyNames = ["visits", "line", "seen", "rest", "paused", "pace"] as const;

/**
 * ARGV: request, width, ms between requests, ms of a request, ms for which a waiting request counts as alive. Returns 0
 * when the request has its place, -1 when the host is full, else the ms until the pause ends.
 */
const askScript = `${opening}
  local request, width, spacing, requestMs, aliveMs = unpack(ARGV)
  redis.call("ZREMRANGEBYSCORE", visits, "-inf", now)
  -- The answer to an earlier question was lost.
  if redis.call("ZSCORE", visits, request) then return 0 end
  for _, gone in ipairs(redis.call("ZRANGEBYSCORE", seen, "-inf", now)) do
    redis.call("ZREM", line, gone)
    redis.call("ZREM", seen, gone)
  end
  redis.call("ZADD", line, "NX", now, request)
  redis.call("ZADD", seen, now + aliveMs, request)
  redis.call("PEXPIRE", line, aliveMs)
  redis.call("PEXPIRE", seen, aliveMs)
  local restMs = redis.call("PTTL", rest)
  if restMs > 0 then return restMs end
  if redis.call("ZCARD", visits) + redis.call("ZRANK", line, request) >= tonumber(width) then return -1 end
  redis.call("ZREM", line, request)
  redis.call("ZREM", seen, request)
  redis.call("ZADD", visits, now + requestMs, request)
  redis.call("PEXPIRE", visits, requestMs)
  local paceMs = tonumber(redis.call("GET", pace) or 0)
  local waitMs = math.max(tonumber(spacing), paceMs)
  if waitMs > 0 then redis.call("SET", rest, 1, "PX", waitMs) end
  if paceMs > 0 then
    local eased = math.floor(paceMs * ${pace.easing})
    if eased < ${pace.shortest} then redis.call("DEL", pace)
    else redis.call("SET", pace, eased, "PX", ${pace.keptMs}) end
  end
  return 0`;

/** ARGV: ms of a request, request. Renews a request, also one that Redis has lost. */
const renewScript = `${opening}
  redis.call("ZADD", visits, now + ARGV[1], ARGV[2])
  redis.call("PEXPIRE", visits, ARGV[1])`;

/** ARGV: request, which ends or waits no longer. */
const leaveScript = `
  for n = 1, 3 do redis.call("ZREM", KEYS[n], ARGV[1]) end`;

/** ARGV: ms. */
const backOffScript = `${opening}
  local ms = tonumber(ARGV[1])
  if redis.call("EXISTS", paused) == 0 then
    local paceMs = 2 * tonumber(redis.call("GET", pace) or 0)
    if paceMs == 0 then paceMs = ${pace.first} end
    paceMs = math.min(paceMs, math.max(2 * ms, ${pace.first}), ${pace.longest})
    redis.call("SET", pace, paceMs, "PX", ${pace.keptMs} + ms)
  end
  for _, key in ipairs({ rest, paused }) do
    if ms > 0 and redis.call("PTTL", key) < ms then redis.call("SET", key, 1, "PX", ms) end
  end`;
