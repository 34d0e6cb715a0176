/** The next fence. It follows the clock of Redis, so it rises even when Redis has lost its latest seconds. */
const nextFence = `
  local function nextFence(key)
    local time = redis.call("TIME")
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local fence = math.max((tonumber(redis.call("GET", key)) or 0) + 1, now)
    redis.call("SET", key, string.format("%.0f", fence))
    return fence
  end`;

/** KEYS: lease, fences. ARGV: token, ms. The fence, or nil when another holds it. */
export const take = `${nextFence}
  if not redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2], "NX") then return false end
  return nextFence(KEYS[2])`;

/** KEYS: leases. ARGV: ms, a token for each. Returns 1 for each lease that its token still holds, 0 for each other. */
export const renew = `
  local answer = {}
  for n, key in ipairs(KEYS) do
    local isHeld = redis.call("GET", key) == ARGV[n + 1]
    if isHeld then redis.call("PEXPIRE", key, ARGV[1]) end
    answer[n] = isHeld and 1 or 0
  end
  return answer`;

/** KEYS: lease. ARGV: token. */
export const release = `
  if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end`;

/**
 * KEYS: members, fences. ARGV: member, prefix of the shards' leases, count of shards, shards held, token, ms. Records the
 * member's heartbeat and takes free shards up to its share. Returns its share, then shard and fence of each shard that it
 * took. Shares differ by one at most; the members that come first by name have the larger ones.
 */
export const claim = `${nextFence}
  local members, fences = unpack(KEYS)
  local member, lease, count, held, token, ms = unpack(ARGV)
  count, held, ms = tonumber(count), tonumber(held), tonumber(ms)
  local time = redis.call("TIME")
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call("ZADD", members, now, member)
  redis.call("ZREMRANGEBYSCORE", members, "-inf", now - ms)
  redis.call("PEXPIRE", members, ms)
  local alive = redis.call("ZRANGE", members, 0, -1)
  table.sort(alive)
  local place = 0
  while alive[place + 1] ~= member do place = place + 1 end
  local share = math.floor(count / #alive)
  if place < count % #alive then share = share + 1 end
  local answer = {share}
  for shard = 0, count - 1 do
    if held >= share then break end
    if redis.call("SET", lease .. shard, token, "PX", ms, "NX") then
      held = held + 1
      answer[#answer + 1] = shard
      answer[#answer + 1] = nextFence(fences)
    end
  end
  return answer`;
