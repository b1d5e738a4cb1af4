--[[
  Takes one of an organization's places for open streams.
    KEYS[1]  sorted set of its open streams; score = moment at which the place lapses unless it is renewed (ms)
    ARGV[1]  id of the stream
    ARGV[2]  how long the place is kept without renewal (ms)
    ARGV[3]  how many streams may be open
  Returns 1, or 0 when all places are taken. A set and not a counter: what a killed process held lapses by itself.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
