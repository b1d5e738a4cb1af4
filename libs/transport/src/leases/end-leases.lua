--[[
  Ends leases whose jobs have ended or were released, unless the job has another lease now. A marker remains for a while,
  so that a renewal that committed earlier but arrives later does not restore the lease.
    KEYS[i]          hash of a lease, see keep-leases.lua
    ARGV[i]          lease id
    ARGV[#KEYS + 1]  TTL of the marker (ms)
]]
for i, key in ipairs(KEYS) do
  local held = redis.call('HGET', key, 'lease')
  if not held or held == ARGV[i] then
    redis.call('DEL', key)
    redis.call('HSET', key, 'lease', ARGV[i])
    redis.call('PEXPIRE', key, ARGV[#KEYS + 1])
  end
end
