--[[
  Publishes a batch of live events of one organization, and keeps it for resumed streams.
    KEYS[1]  stream of recent batches   KEYS[2]  exists while a stream is open or may resume
    ARGV[1]  channel   ARGV[2]  JSON array of events   ARGV[3]  the same, or '' when too large to keep
    ARGV[4]  minimum number of batches to keep   ARGV[5]  seconds to keep them
  The message is the batch's id, a space, and the events. Returns 0, and does nothing, when there is no
  subscriber and no stream that may resume; otherwise 1.
]]
if redis.call('EXISTS', KEYS[2]) == 0 and redis.call('PUBSUB', 'NUMSUB', ARGV[1])[2] == 0 then return 0 end
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[4], '*', 'e', ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[5])
redis.call('PUBLISH', ARGV[1], id .. ' ' .. ARGV[2])
return 1
