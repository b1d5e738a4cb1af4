--[[
  Takes one of an organization's stream slots.
    KEYS[1]  sorted set of its open streams; score = when the slot expires unless renewed (ms)
    ARGV[1]  id of the stream
    ARGV[2]  lease of the slot (ms)
    ARGV[3]  maximum number of open streams
  Returns 1, or 0 when all slots are taken. A set instead of a counter: slots of a crashed process expire.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
