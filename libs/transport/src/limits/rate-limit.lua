--[[
  Checks several limits for a batch of calls; each call takes from all limits or, when one refuses, from none.
    KEYS[i]           hash of limit i
    ARGV[1]           'take': allows calls that fit; 'charge': takes them even if they do not fit; 'refund': returns them
    ARGV[2]           number of calls
    ARGV[4 * i - 1]   kind of limit i: 'bucket' or 'window'
    ARGV[4 * i]       bucket: tokens per second;  window: length in seconds
    ARGV[4 * i + 1]   bucket: capacity;           window: calls per window
    ARGV[4 * i + 2]   cost of one call in tokens or calls
  Returns the time, the number of allowed calls, and the state of each limit after them:
  { allows one more 0|1, remaining, ms until it does, ms until it is full }.
  Bucket: `tokens` at time `at` (ms). Window: counts of the current and the previous fixed window; the previous one
  weighs as much as it still overlaps the sliding window, so a limit costs one small hash however high it is. `last`: time of
  the last call (ms), after which no call counts longer than one window.
  Remaining values are floored, waits are rounded up.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- The wait for a bucket that is never refilled, and how long its counter is kept.
local NEVER, DAY = 60000, 86400000

local function bucket(key, rate, capacity, cost)
  local stored = redis.call('HMGET', key, 'tokens', 'at')
  local tokens = capacity
  if stored[1] then
    local gained = math.max(0, now - tonumber(stored[2])) * rate / 1000
    tokens = math.min(capacity, tonumber(stored[1]) + gained)
  end
  local function waitFor(amount)
    if rate <= 0 then return NEVER end
    return math.max(0, math.ceil((amount - tokens) * 1000 / rate))
  end
  return {
    left = function(taken) return tokens - taken end,
    retry = function(taken) return waitFor(taken + cost) end,
    reset = function(taken) return waitFor(capacity + taken) end,
    take = function(amount)
      redis.call('HSET', key, 'tokens', string.format('%.6f', math.min(capacity, tokens - amount)), 'at', now)
      -- A charge may leave less than nothing, which must not be forgotten before it is refilled.
      local debt = math.max(0, amount - tokens)
      redis.call('PEXPIRE', key, rate > 0 and math.ceil((capacity + debt) * 1000 / rate) + 1000 or DAY)
    end,
  }
end

local function window(key, seconds, limit, cost)
  local length = seconds * 1000
  local number = math.floor(now / length)
  local elapsed = now - number * length
  local stored = redis.call('HMGET', key, 'number', 'current', 'previous', 'last')
  local current, previous = 0, 0
  if stored[1] and tonumber(stored[1]) == number then
    current, previous = tonumber(stored[2]), tonumber(stored[3])
  elseif stored[1] and tonumber(stored[1]) == number - 1 then
    previous = tonumber(stored[2])
  end
  local last = tonumber(stored[4] or '')
  -- The previous window is weighed as if its calls were spread evenly; none of them counts longer than a window after the last.
  if last and now - last >= length then previous = 0 end
  local function emptyIn(taken)
    if taken > 0 then return length end
    if last then return math.max(0, last + length - now) end
    return current + previous > 0 and 2 * length - elapsed or 0
  end
  local used = current + previous * (length - elapsed) / length

  -- The share of the previous window declines evenly until the current one ends, then the current one declines.
  local function retry(taken)
    local room = limit - cost - current - taken
    if room >= 0 and previous > 0 then return math.ceil(length - elapsed - room * length / previous) end
    local roomNext = math.max(0, limit - cost)
    return math.min(emptyIn(taken), math.ceil(length - elapsed + math.max(0, 1 - roomNext / (current + taken)) * length))
  end
  return {
    left = function(taken) return limit - used - taken end,
    retry = retry,
    reset = emptyIn,
    take = function(amount)
      redis.call('HSET', key, 'number', number, 'current', math.max(0, current + amount), 'previous', previous)
      if amount > 0 then redis.call('HSET', key, 'last', now) end
      redis.call('PEXPIRE', key, 2 * length)
    end,
  }
end

local verb, wanted = ARGV[1], tonumber(ARGV[2])
local limits, costs, allowed = {}, {}, wanted
for i, key in ipairs(KEYS) do
  local pace, amount, cost = tonumber(ARGV[4 * i]), tonumber(ARGV[4 * i + 1]), tonumber(ARGV[4 * i + 2])
  limits[i] = (ARGV[4 * i - 1] == 'bucket' and bucket or window)(key, pace, amount, cost)
  costs[i] = cost
  if verb == 'take' then allowed = math.max(0, math.min(allowed, math.floor(limits[i].left(0) / cost))) end
end

if verb == 'refund' then
  for i, limit in ipairs(limits) do limit.take(-wanted * costs[i]) end
  return { now, 0, {} }
end

local answers = {}
for i, limit in ipairs(limits) do
  local taken = allowed * costs[i]
  if allowed > 0 then limit.take(taken) end
  local fits = limit.left(taken) >= costs[i]
  answers[i] = {
    fits and 1 or 0,
    math.max(0, math.floor(limit.left(taken))),
    fits and 0 or math.max(1, limit.retry(taken)),
    math.max(0, limit.reset(taken)),
  }
end
return { now, allowed, answers }
