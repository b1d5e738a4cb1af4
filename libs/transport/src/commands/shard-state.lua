--[[
  The state of a shard's engines and backlog.
    KEYS[1]  stream of commands
    KEYS[2]  sorted set of engines; score = when the heartbeat expires (ms)
    ARGV[1]  consumer group of the engines
  Returns { number of live engines, age in ms of the oldest command that no engine has taken yet, or -1 }.
  Commands that an engine has taken do not count: a slow one, or one whose engine crashed, must not cause refusals.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local engines = redis.call('ZCOUNT', KEYS[2], '(' .. now, '+inf')

local taken = '0-0'
if redis.call('EXISTS', KEYS[1]) == 1 then
  for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
    if group[2] == ARGV[1] then
      for i = 1, #group, 2 do
        if group[i] == 'last-delivered-id' then taken = group[i + 1] end
      end
    end
  end
end

local waiting = redis.call('XRANGE', KEYS[1], '(' .. taken, '+', 'COUNT', 1)
if #waiting == 0 then return { engines, -1 } end
local since = tonumber(string.match(waiting[1][1], '^(%d+)-'))
return { engines, math.max(0, now - since) }
