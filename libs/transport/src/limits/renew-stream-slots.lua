--[[
  Renews the slots of open streams; also adds those that Redis has lost or never had.
    KEYS[1]   sorted set as in take-stream-slot.lua
    ARGV[1]   lease of the slots until the next renewal (ms)
    ARGV[2…]  ids of the streams
]]
local time = redis.call('TIME')
local expiresAt = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], expiresAt, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
