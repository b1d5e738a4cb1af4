--[[
  Stores leases that were just written to their rows.
    KEYS[i]          hash of a lease: `worker`, `lease` (id), `queue`, the row's end by the clock of Redis (`row_until`, ms) and by
                     that of PostgreSQL (`row_ends`, ms). Expires with the lease. With `lease` alone: that lease has ended.
    ARGV[5i-4…5i]    worker, lease id, queue, ms until the row's end, the row's end by the clock of PostgreSQL
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

for i, key in ipairs(KEYS) do
  local worker, lease, queue = ARGV[5 * i - 4], ARGV[5 * i - 3], ARGV[5 * i - 2]
  local left, row_ends = tonumber(ARGV[5 * i - 1]), ARGV[5 * i]
  local held = redis.call('HMGET', key, 'worker', 'lease')
  local ended = held[2] == lease and not held[1]
  if not ended then
    redis.call('HSET', key, 'worker', worker, 'lease', lease, 'queue', queue,
      'row_until', string.format('%d', now + left), 'row_ends', row_ends)
    redis.call('PEXPIRE', key, left)
  end
end
