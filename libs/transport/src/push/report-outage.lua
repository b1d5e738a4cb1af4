--[[
  Records that calls to the receiver of a push queue are paused. The time of the first report stays until the outage ends.
    KEYS[1]  hash: `since`, `next_call` (ms, clock of Redis)
    ARGV[1]  until the next trial call (ms)
    ARGV[2]  how long the record outlives it (ms)
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSETNX', KEYS[1], 'since', now)
redis.call('HSET', KEYS[1], 'next_call', now + ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[1] + ARGV[2])
