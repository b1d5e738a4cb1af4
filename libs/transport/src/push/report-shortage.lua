--[[
  Records why the jobs of a push queue are not called. The time of the first report stays while the reason is the same.
    KEYS[1]  hash: `since` (ms, clock of Redis), `code`, `figures`
    ARGV[1]  code
    ARGV[2]  figures, as JSON
    ARGV[3]  how long the record is kept (ms)
]]
if redis.call('HGET', KEYS[1], 'code') ~= ARGV[1] then
  local time = redis.call('TIME')
  redis.call('HSET', KEYS[1], 'code', ARGV[1], 'since', time[1] * 1000 + math.floor(time[2] / 1000))
end
redis.call('HSET', KEYS[1], 'figures', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
