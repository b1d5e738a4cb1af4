--[[
  Extends leases that Redis knows to now + duration. Redis answers alone as long as the row, which was written last at some earlier
  renewal, holds at least half of that duration: whatever becomes of Redis, the worker then still has time to renew in the row.
    KEYS[i]          hash of a lease, see keep-leases.lua
    ARGV[4i-3…4i]    worker, lease id ('' = whichever), duration (ms), queues that the caller may touch (JSON, '' = all)
  Returns for each lease its new end by the clock of PostgreSQL (ms since 1970), or 0: the row has to decide. Refusals are the row's
  too: a claim tells Redis nothing, so an entry may be that of an earlier holder.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function may_touch(queues, queue)
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
  if held[1] == worker and (lease == '' or held[2] == lease) and may_touch(queues, held[3]) then
    local left = tonumber(held[4]) - now
    -- A duration that ends before the row does shortens the lease, which only the row can.
    if left * 2 >= duration and left <= duration then
      redis.call('PEXPIRE', key, duration)
      -- The clocks of Redis and PostgreSQL may differ; the row's end is known by both.
      ends[i] = tonumber(held[5]) + duration - left
    end
  end
end
return ends
