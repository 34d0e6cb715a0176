/** The keys of a crawl, in the order in which every script takes them. */
export const keyNames = [
  "crawl",
  "pages",
  "ready",
  "delayed",
  "running",
  "reasons",
  "completed",
  "failed",
  "skipped",
] as const;

/**
 * `crawl` is a hash of fence, bounds and counts. `pages` holds the offered pages by key, and an empty text for an alias.
 * A waiting page is in `ready` by depth and age or in `delayed` by its time; a page that is being fetched is in `running`;
 * an ended page is in the set of its state by its position in the sequence, with its reason in `reasons`.
 */
const shared = `
  local call = redis.call
  local crawl, pages, ready, delayed, running, reasons = unpack(KEYS)
  local ended = { completed = KEYS[7], failed = KEYS[8], skipped = KEYS[9] }
  local url, depth, hops, from, external, tries, age = 1, 2, 3, 4, 5, 6, 7

  local function number(name) return tonumber(call("HGET", crawl, name) or 0) end
  -- Without the format, minus nothing is "-0", which is no integer.
  local function add(name, by) return call("HINCRBY", crawl, name, string.format("%d", by)) end

  local function counts()
    return { number("queued"), number("running"), number("completed"), number("failed"), number("skipped") }
  end

  local function page(key) return cjson.decode(call("HGET", pages, key)) end
  local function keep(key, record) call("HSET", pages, key, cjson.encode(record)) end

  -- The lowest goes first: by place, and within one place by age.
  local function wait(key, place, record)
    call("ZADD", ready, place * 2^40 + record[age], key)
  end

  local function finish(key, before, state, reason)
    add(before, -1)
    add(state, 1)
    call("ZADD", ended[state], number("completed") + number("failed") + number("skipped"), key)
    if reason ~= cjson.null then call("HSET", reasons, key, reason) end
  end

  local function moveForward(key, candidate)
    local score = call("ZSCORE", ready, key)
    if not score and not call("ZSCORE", delayed, key) then return end
    local record = page(key)
    if record[depth] <= candidate[2] then return end
    record[depth], record[hops], record[from] = candidate[2], candidate[3], candidate[4]
    keep(key, record)
    if score and tonumber(score) >= 0 then wait(key, record[depth], record) end
  end

  -- A candidate comes as its record together with its key.
  local function admit(candidates)
    if call("HEXISTS", crawl, "finished") == 1 then return 0 end
    local free, added = number("max"), 0
    for _, count in ipairs(counts()) do free = free - count end
    for _, offered in ipairs(candidates) do
      local key, candidate = offered[1], offered[2]
      if added < free and call("HEXISTS", pages, key) == 0 then
        candidate[tries], candidate[age] = 0, add("age", 1)
        keep(key, candidate)
        wait(key, candidate[depth], candidate)
        added = added + 1
      else
        moveForward(key, candidate)
      end
    end
    add("queued", added)
    return added
  end

  local function alias(key)
    if call("HSETNX", pages, key, "") == 1 then return end
    if call("ZREM", ready, key) + call("ZREM", delayed, key) > 0 then
      finish(key, "queued", "skipped", "duplicate")
    end
  end
`;

/** The beginning of every step of a driver; its arguments follow the fence. Returns null when the fence is too low. */
const fenced = `${shared}
  local held = call("HGET", crawl, "fence")
  if not held or tonumber(ARGV[1]) < tonumber(held) then return false end
`;

/** Fence, limit, most pages discovered; the counts. */
export const open = `${shared}
  local held = tonumber(call("HGET", crawl, "fence") or -1)
  local fence = tonumber(ARGV[1])
  if fence < held then return false end
  if fence == held then return counts() end
  call("HSET", crawl, "fence", ARGV[1], "limit", ARGV[2], "max", ARGV[3])
  local begun = call("SMEMBERS", running)
  for _, key in ipairs(begun) do wait(key, -1, page(key)) end
  call("DEL", running)
  add("running", -#begun)
  add("queued", #begun)
  return counts()`;

/** Candidates; how many were added. */
export const offer = `${fenced} return admit(cjson.decode(ARGV[2]))`;

/** Count and time; keys and records alternate. */
export const take = `${fenced}
  local free = number("limit") - number("completed") - number("failed") - number("running")
  free = math.min(free, tonumber(ARGV[2]))
  if free <= 0 or call("HEXISTS", crawl, "finished") == 1 then return {} end
  for _, key in ipairs(call("ZRANGEBYSCORE", delayed, "-inf", ARGV[3])) do
    local record = page(key)
    call("ZREM", delayed, key)
    wait(key, record[depth], record)
  end
  local popped, claims = call("ZPOPMIN", ready, free), {}
  for at = 1, #popped, 2 do
    call("SADD", running, popped[at])
    claims[at], claims[at + 1] = popped[at], call("HGET", pages, popped[at])
  end
  add("queued", -#popped / 2)
  add("running", #popped / 2)
  return claims`;

/** Key, time, and 1 for a try of the page, else 0. */
export const postpone = `${fenced}
  local key = ARGV[2]
  if call("SREM", running, key) == 0 then return 0 end
  local record = page(key)
  record[tries] = record[tries] + tonumber(ARGV[4])
  keep(key, record)
  call("ZADD", delayed, ARGV[3], key)
  add("running", -1)
  add("queued", 1)
  return 1`;

/** Key, state, reason and aliases and candidates as JSON; the counts. */
export const settle = `${fenced}
  local key = ARGV[2]
  if call("SREM", running, key) == 0 then return counts() end
  finish(key, "running", ARGV[3], cjson.decode(ARGV[4])[1])
  for _, other in ipairs(cjson.decode(ARGV[5])) do alias(other) end
  admit(cjson.decode(ARGV[6]))
  return counts()`;

/** Reason, and how many pages of a kind to skip at a time; returns how many still wait. */
export const finishSlice = `${fenced}
  call("HSETNX", crawl, "finished", ARGV[2])
  local reason = call("HGET", crawl, "finished")
  for _, key in ipairs(call("SMEMBERS", running)) do finish(key, "running", "skipped", reason) end
  call("DEL", running)
  for _, waiting in ipairs({ ready, delayed }) do
    local popped = call("ZPOPMIN", waiting, ARGV[3])
    for at = 1, #popped, 2 do finish(popped[at], "queued", "skipped", reason) end
  end
  return number("queued")`;

export const counts = `${shared} return counts()`;

export const nextDue = `${shared}
  if call("ZCARD", ready) > 0 then return "0" end
  return call("ZRANGE", delayed, 0, 0, "WITHSCORES")[2] or false`;

/** Place in the sequence, most pages, and states; of each page sequence, state, key, record, reason. */
export const settled = `${shared}
  local found, after, limit = {}, "(" .. ARGV[1], ARGV[2]
  for at = 3, #ARGV do
    local read = call("ZRANGEBYSCORE", ended[ARGV[at]], after, "+inf", "WITHSCORES", "LIMIT", 0, limit)
    for n = 1, #read, 2 do table.insert(found, { tonumber(read[n + 1]), ARGV[at], read[n] }) end
  end
  table.sort(found, function(one, other) return one[1] < other[1] end)
  while #found > tonumber(limit) do table.remove(found) end
  for _, each in ipairs(found) do
    each[4], each[5] = call("HGET", pages, each[3]), call("HGET", reasons, each[3])
  end
  return found`;
