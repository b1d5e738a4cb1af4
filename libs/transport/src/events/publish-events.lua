--[[
  Publishes a batch of live events of one organization, and keeps it for resumed streams.
    KEYS[1]  stream of recent batches   KEYS[2]  exists while a stream is open or may resume   KEYS[3]  channel
    ARGV[1]  JSON array of events   ARGV[2]  the same, or '' when too large to keep
    ARGV[3]  minimum number of batches to keep   ARGV[4]  seconds to keep them
    ARGV[5]  'sharded' in a Redis Cluster, 'plain' elsewhere
  The message is the batch's id, a space, and the events. Returns 0, and does nothing, when there is no
  subscriber and no stream that may resume; otherwise 1.
]]
local count, publish = 'NUMSUB', 'PUBLISH'
if ARGV[5] == 'sharded' then count, publish = 'SHARDNUMSUB', 'SPUBLISH' end
if redis.call('EXISTS', KEYS[2]) == 0 and redis.call('PUBSUB', count, KEYS[3])[2] == 0 then return 0 end
local id = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], '*', 'e', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call(publish, KEYS[3], id .. ' ' .. ARGV[1])
return 1
