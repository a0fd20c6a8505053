#!lua flags=allow-oom
-- Opens or renews an owner's lease on a queue, by Redis's clock.
--
-- KEYS  1 leases  2 served queues
-- ARGV  1 owner  2 milliseconds from now  3 'open' or 'renew'  4 queue
-- Returns 1, or 0 when a lease to be renewed is gone: its owner was recovered and is fenced.
if ARGV[3] == 'renew' and not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return 0
end
redis.call('SADD', KEYS[2], ARGV[4])
local time = redis.call('TIME')
local lapses = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[2])
redis.call('ZADD', KEYS[1], string.format('%.0f', lapses), ARGV[1])
return 1
