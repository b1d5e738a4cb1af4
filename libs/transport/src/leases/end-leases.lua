--[[
  Forgets leases whose jobs have ended or gone back, unless the job is under another lease by now. What remains for a while keeps
  a renewal that committed earlier, and whose word comes later, from putting the lease back.
    KEYS[i]          hash of a lease, see keep-leases.lua
    ARGV[i]          lease id
    ARGV[#KEYS + 1]  how long that is remembered (ms)
]]
for i, key in ipairs(KEYS) do
  local held = redis.call('HGET', key, 'lease')
  if not held or held == ARGV[i] then
    redis.call('DEL', key)
    redis.call('HSET', key, 'lease', ARGV[i])
    redis.call('PEXPIRE', key, ARGV[#KEYS + 1])
  end
end
