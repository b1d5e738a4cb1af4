--[[
  Takes up to a number of tokens from the bucket of a queue, which refills continuously.
    KEYS[1]  hash: `tokens` at time `at` (ms)
    ARGV[1]  tokens per second   ARGV[2]  capacity   ARGV[3]  tokens wanted
  Returns { taken, ms until the next one (0 while one is available) }. A negative number returns tokens; 0 changes nothing.
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local rate, capacity, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])

local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = capacity
if stored[1] then
  tokens = math.min(capacity, tonumber(stored[1]) + math.max(0, now - tonumber(stored[2])) * rate / 1000)
end

local taken = math.min(wanted, math.floor(tokens))
tokens = math.min(capacity, tokens - taken)
if wanted ~= 0 then
  redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', now)
  -- A full bucket need not be stored.
  redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - tokens) * 1000 / rate) + 1000)
end
return { taken, tokens >= 1 and 0 or math.max(1, math.ceil((1 - tokens) * 1000 / rate)) }
