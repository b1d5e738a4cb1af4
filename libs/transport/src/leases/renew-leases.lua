--[[
  Extends stored leases to now + duration, without the row as long as the row's lease has at least half of that duration left:
  if Redis then fails, the worker still has time to renew in the row.
    KEYS[i]          hash of a lease, see keep-leases.lua
    ARGV[4i-3…4i]    worker, lease id ('' = any), duration (ms), queues of the caller's scope (JSON, '' = all)
  Returns for each lease its new end by the clock of PostgreSQL (ms since 1970), or 0: the row must be checked. Refusals also come
  from the row: claims are not stored in Redis, so an entry may belong to a previous holder.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function in_scope(queues, queue)
  if queues == '' then return true end
  for _, name in ipairs(cjson.decode(queues)) do
    if name == queue then return true end
  end
  return false
end

local ends = {}
for i, key in ipairs(KEYS) do
  local worker, lease, duration, queues = ARGV[4 * i - 3], ARGV[4 * i - 2], tonumber(ARGV[4 * i - 1]), ARGV[4 * i]
  local held = redis.call('HMGET', key, 'worker', 'lease', 'queue', 'row_until', 'row_ends')
  ends[i] = 0
  if held[1] == worker and (lease == '' or held[2] == lease) and in_scope(queues, held[3]) then
    local left = tonumber(held[4]) - now
    -- A duration that ends before the row's lease shortens it, which only the row can do.
    if left * 2 >= duration and left <= duration then
      redis.call('PEXPIRE', key, duration)
      -- The clocks of Redis and PostgreSQL may differ; the row's end is known in both.
      ends[i] = tonumber(held[5]) + duration - left
    end
  end
end
return ends
