--[[
  Records an engine's heartbeat, removes engines whose heartbeats have expired, and returns the time.
    KEYS[1]  sorted set of engines; score = when the heartbeat expires (ms)
    ARGV[1]  engine id
    ARGV[2]  TTL of the heartbeat (ms)
  Returns the clock of this Redis (ms since 1970).
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2] * 10)
return now
