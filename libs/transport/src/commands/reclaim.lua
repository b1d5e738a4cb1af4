--[[
  Takes over commands whose engine stopped refreshing them, and deletes idle consumers without pending entries.
    KEYS[1]  stream of commands
    ARGV[1]  consumer group
    ARGV[2]  the consumer that takes over
    ARGV[3]  minimum idle time of a command (ms); engines refresh theirs well before
    ARGV[4]  maximum number to take
    ARGV[5]  cursor of the previous call, initially '0-0'
  Returns { next cursor, { { entry id, command, times delivered }, ... } }.
]]
local deleteConsumerAfterMs = 60000
local stream, group = KEYS[1], ARGV[1]
local claimed = redis.call('XAUTOCLAIM', stream, group, ARGV[2], ARGV[3], ARGV[5], 'COUNT', ARGV[4])

local entries = {}
for _, entry in ipairs(claimed[2]) do
  -- Before Redis 7 a deleted entry is returned as false.
  if entry then
    local pending = redis.call('XPENDING', stream, group, entry[1], entry[1], 1)
    entries[#entries + 1] = { entry[1], entry[2][2], pending[1] and pending[1][4] or 1 }
  end
end

for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group)) do
  local about = {}
  for i = 1, #consumer, 2 do about[consumer[i]] = consumer[i + 1] end
  if about['pending'] == 0 and about['idle'] > deleteConsumerAfterMs and about['name'] ~= ARGV[2] then
    redis.call('XGROUP', 'DELCONSUMER', stream, group, about['name'])
  end
end
return { claimed[1], entries }
