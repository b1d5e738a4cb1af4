--[[
  Publishes the live events of one organization from one batch, and remembers them for streams that resume.
    KEYS[1]  stream of recent batches   KEYS[2]  is there while a stream is open, or was lately
    ARGV[1]  channel   ARGV[2]  JSON array of events   ARGV[3]  the same, or '' when it is too large to remember
    ARGV[4]  batches to remember, at least   ARGV[5]  seconds to remember them
  The message is the batch's id, a space, and the events. Returns 0, and does nothing, when nobody listens and nobody may come
  back to hear what it missed; else 1.
]]
if redis.call('EXISTS', KEYS[2]) == 0 and redis.call('PUBSUB', 'NUMSUB', ARGV[1])[2] == 0 then return 0 end
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], '*', 'e', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('PUBLISH', ARGV[1], id .. ' ' .. ARGV[2])
return 1
