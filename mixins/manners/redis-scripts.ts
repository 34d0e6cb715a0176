/** What every script has: the time of Redis in milliseconds, and what is kept of a host. */
const opening = `
  local visits, line, seen, rest = unpack(KEYS)
  local time = redis.call("TIME")
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * KEYS of all: visits, line and seen of a host, by visitor, with when a visit ends that is not renewed, when a visitor
 * came, and until when it is taken for alive; and one that is there for as long as the host is to be left alone.
 */
export const keyNames = ["visits", "line", "seen", "rest"] as const;

/**
 * ARGV: visitor, width, ms between visits, ms of a visit, ms for which a visitor is taken for alive. 0 when the visit has
 * begun, -1 when the host is full, else the ms for which nobody is welcome.
 */
export const ask = `${opening}
  local visitor, width, spacing, visitMs, aliveMs = unpack(ARGV)
  redis.call("ZREMRANGEBYSCORE", visits, "-inf", now)
  -- An answer was lost.
  if redis.call("ZSCORE", visits, visitor) then return 0 end
  for _, gone in ipairs(redis.call("ZRANGEBYSCORE", seen, "-inf", now)) do
    redis.call("ZREM", line, gone)
    redis.call("ZREM", seen, gone)
  end
  redis.call("ZADD", line, "NX", now, visitor)
  redis.call("ZADD", seen, now + aliveMs, visitor)
  redis.call("PEXPIRE", line, aliveMs)
  redis.call("PEXPIRE", seen, aliveMs)
  local restMs = redis.call("PTTL", rest)
  if restMs > 0 then return restMs end
  if redis.call("ZCARD", visits) + redis.call("ZRANK", line, visitor) >= tonumber(width) then return -1 end
  redis.call("ZREM", line, visitor)
  redis.call("ZREM", seen, visitor)
  redis.call("ZADD", visits, now + visitMs, visitor)
  redis.call("PEXPIRE", visits, visitMs)
  if tonumber(spacing) > 0 then redis.call("SET", rest, 1, "PX", spacing) end
  return 0`;

/** ARGV: ms of a visit, visitor. The visit goes on; also one that Redis has lost. */
export const goOn = `${opening}
  redis.call("ZADD", visits, now + ARGV[1], ARGV[2])
  redis.call("PEXPIRE", visits, ARGV[1])`;

/** ARGV: visitor, who leaves, or waits no more. */
export const leave = `
  for n = 1, 3 do redis.call("ZREM", KEYS[n], ARGV[1]) end`;

/** ARGV: ms. */
export const leaveAlone = `
  if redis.call("PTTL", KEYS[4]) < tonumber(ARGV[1]) then redis.call("SET", KEYS[4], 1, "PX", ARGV[1]) end`;
