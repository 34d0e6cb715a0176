/**
 * Below the prefix of the log: `of:<key>` is the stream of a key. Its entries have the id `<seq>-<at>` and one field, the
 * reference of a body; its last id outlives its entries, so it is the counter too. `ids:<…>` are sets of numbers that say
 * which references each log holds. `oldest` holds the keys by the time of their first entry. `growths` counts the appends,
 * and `grown` holds the keys by the count of their last append. `floors` has the last position that a restored log may have
 * given before, until it grows.
 *
 * Times are milliseconds. The time of an entry never decreases within a log, even when the clock is set back, so the
 * entries that expire are always the first ones.
 */
const shared = `
  local call, prefix = redis.call, ARGV[1]
  local oldest, grown, growths = prefix .. "oldest", prefix .. "grown", prefix .. "growths"
  local floors = prefix .. "floors"
  local isRestored = call("EXISTS", floors) == 1

  local function integer(number) return string.format("%.0f", number) end
  local function streamOf(keyId) return prefix .. "of:" .. keyId end

  local function partsOf(id)
    local seq, at = string.match(id, "^(%d+)-(%d+)$")
    return tonumber(seq), tonumber(at)
  end

  -- Sequence and time of the last entry that ever was, and whether there are entries.
  local function lastOf(stream)
    local last = call("XREVRANGE", stream, "+", "-", "COUNT", 1)[1]
    if last then
      local seq, at = partsOf(last[1])
      return seq, at, true
    end
    if call("EXISTS", stream) == 0 then return 0, 0, false end
    local info = call("XINFO", "STREAM", stream)
    for at = 1, #info, 2 do
      if info[at] == "last-generated-id" then
        local seq, time = partsOf(info[at + 1])
        return seq, time, false
      end
    end
  end

  -- Of the log of a key: what \`lastOf\` says, and no less than its floor.
  local function headOf(keyId)
    local seq, at, isFilled = lastOf(streamOf(keyId))
    local floor = isRestored and call("HGET", floors, keyId)
    if floor then seq = math.max(seq, tonumber(floor)) end
    return seq, at, isFilled
  end

  local function firstOf(stream)
    local first = call("XRANGE", stream, "-", "+", "COUNT", 1)[1]
    if first then return partsOf(first[1]) end
  end

  -- A set of at most 512 integers takes some 9 bytes for each; one of texts would take 60. With 2^16 sets that holds up
  -- to 33 million references, for which the chance that two of their 68 bits agree is 2 in a million.
  local function identity(keyId, reference)
    local digest = redis.sha1hex(keyId .. "\\n" .. reference)
    return prefix .. "ids:" .. string.sub(digest, 1, 4), integer(tonumber(string.sub(digest, 5, 17), 16))
  end

  -- Removes at most as many entries from the beginning as are asked for, none of \`before\` or later, and none after \`to\`.
  local function cut(keyId, before, limit, to)
    local stream, removed, last = streamOf(keyId), 0, nil
    for _, entry in ipairs(call("XRANGE", stream, "-", "+", "COUNT", limit)) do
      local seq, at = partsOf(entry[1])
      if at >= before or seq > to then break end
      call("SREM", identity(keyId, entry[2][2]))
      removed, last = removed + 1, seq
    end
    if last then call("XTRIM", stream, "MINID", integer(last + 1)) end
    local _, at = firstOf(stream)
    if at then call("ZADD", oldest, integer(at), keyId) else call("ZREM", oldest, keyId) end
    return removed
  end
`;

/**
 * Takes the time, or nothing for that of Redis; the end of the lease, or nothing; for each event its reference and its keys,
 * as JSON. Returns the count of appends, the keys whose logs grew and the number of new entries of each event; null after the
 * end of the lease.
 */
export const append = `${shared}
  local now = tonumber(ARGV[2])
  if not now then
    local time = call("TIME")
    now = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  if ARGV[3] ~= "" and now >= tonumber(ARGV[3]) then return false end

  local heads, keyIds, entries = {}, {}, {}
  local function refer(keyId, reference)
    local stream = streamOf(keyId)
    local head = heads[keyId]
    if not head then
      local seq, at, isFilled = headOf(keyId)
      head = { seq = seq, at = math.max(at, now) }
      heads[keyId] = head
      table.insert(keyIds, keyId)
      if not isFilled then call("ZADD", oldest, integer(head.at), keyId) end
      if isRestored then call("HDEL", floors, keyId) end
    end
    head.seq = head.seq + 1
    call("XADD", stream, integer(head.seq) .. "-" .. integer(head.at), "b", reference)
  end

  for n, event in ipairs(cjson.decode(ARGV[4])) do
    entries[n] = 0
    for _, keyId in ipairs(event[2]) do
      if call("SADD", identity(keyId, event[1])) == 1 then
        refer(keyId, event[1])
        entries[n] = entries[n] + 1
      end
    end
  end
  if #keyIds == 0 then return { 0, keyIds, entries } end
  local growth = call("INCR", growths)
  for _, keyId in ipairs(keyIds) do call("ZADD", grown, growth, keyId) end
  return { growth, keyIds, entries }`;

/** Takes references and keys, as JSON. Returns for each reference those of the keys whose logs have it, as JSON. */
export const holders = `${shared}
  local keyIds, lists = cjson.decode(ARGV[3]), {}
  for n, reference in ipairs(cjson.decode(ARGV[2])) do
    local having = {}
    for _, keyId in ipairs(keyIds) do
      if call("SISMEMBER", identity(keyId, reference)) == 1 then table.insert(having, cjson.encode(keyId)) end
    end
    lists[n] = "[" .. table.concat(having, ",") .. "]"
  end
  return "[" .. table.concat(lists, ",") .. "]"`;

/** Takes a key. Returns the sequences of its first and last entry; without entries the last plus one, and the last. */
export const bounds = `${shared}
  local stream = streamOf(ARGV[2])
  local latest = headOf(ARGV[2])
  return { firstOf(stream) or latest + (latest > 0 and 1 or 0), latest }`;

/** Takes a key and a time. Returns the last position whose entry is older. */
export const positionAt = `${shared}
  local stream = streamOf(ARGV[2])
  local last, _, isFilled = lastOf(stream)
  local latest = isFilled and last or headOf(ARGV[2])
  local before, after = (firstOf(stream) or latest + 1) - 1, latest + 1
  while after - before > 1 do
    local middle = math.floor((before + after) / 2)
    local _, at = partsOf(call("XRANGE", stream, integer(middle), "+", "COUNT", 1)[1][1])
    if at < tonumber(ARGV[3]) then before = middle else after = middle end
  end
  return before`;

/** Takes a time and a limit. Returns how many older references were removed. */
export const pruneSlice = `${shared}
  local before, limit, removed = tonumber(ARGV[2]), tonumber(ARGV[3]), 0
  for _, keyId in ipairs(call("ZRANGEBYSCORE", oldest, "-inf", "(" .. ARGV[2], "LIMIT", 0, limit)) do
    if removed == limit then break end
    removed = removed + cut(keyId, before, limit - removed, math.huge)
  end
  return removed`;

/** Takes a key, a position, a time and a limit. Returns how many references up to the position and before the time were removed. */
export const cutSlice = `${shared}
  return cut(ARGV[2], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[3]))`;

/** Takes a key and a limit. Returns how many references were removed. */
export const dropSlice = `${shared}
  local removed = cut(ARGV[2], math.huge, tonumber(ARGV[3]), math.huge)
  if removed < tonumber(ARGV[3]) then
    call("DEL", streamOf(ARGV[2]))
    call("ZREM", grown, ARGV[2])
    call("HDEL", floors, ARGV[2])
  end
  return removed`;

/** Takes a count of appends. Returns the present count, and the keys whose logs grew since, each before its own count. */
export const grownSince = `${shared}
  local count = tonumber(call("GET", growths) or 0)
  local since = tonumber(ARGV[2])
  -- Redis has lost what it counted.
  if since > count then since = 0 end
  return { count, call("ZRANGEBYSCORE", grown, "(" .. integer(since), "+inf", "WITHSCORES") }`;

/** Takes a key, entries as JSON (sequence, time, reference) and a floor. Adds them to what was restored of its log before. */
export const restoreSlice = `${shared}
  local keyId = ARGV[2]
  local stream = streamOf(keyId)
  for _, entry in ipairs(cjson.decode(ARGV[3])) do
    call("SADD", identity(keyId, entry[3]))
    call("XADD", stream, integer(entry[1]) .. "-" .. integer(entry[2]), "b", entry[3])
  end
  local _, at = firstOf(stream)
  if at then call("ZADD", oldest, integer(at), keyId) end
  call("HSET", floors, keyId, ARGV[4])
  call("ZADD", grown, call("INCR", growths), keyId)
  return 1`;
