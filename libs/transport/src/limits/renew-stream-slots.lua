--[[
  Keeps the places of streams that are still open; also enters those that Redis has lost or never heard of.
    KEYS[1]   sorted set as in take-stream-slot.lua
    ARGV[1]   how long the places are kept without the next renewal (ms)
    ARGV[2…]  ids of the streams
]]
local time = redis.call('TIME')
local lapsesAt = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], lapsesAt, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
