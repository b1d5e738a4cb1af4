--[[
  Which leases are alive.
    KEYS[i]        hash of a lease, see keep-leases.lua
    ARGV[2i-1,2i]  worker, lease id; '' = any
  Returns for each lease { lease id, ms left }, or false.
]]
local found = {}
for i, key in ipairs(KEYS) do
  local worker, lease = ARGV[2 * i - 1], ARGV[2 * i]
  local held = redis.call('HMGET', key, 'worker', 'lease')
  local matches = held[1] and (worker == '' or held[1] == worker) and (lease == '' or held[2] == lease)
  found[i] = matches and { held[2], redis.call('PTTL', key) }
end
return found
