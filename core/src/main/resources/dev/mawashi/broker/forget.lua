#!lua flags=allow-oom
-- Takes queues where nothing of ours lies out of the queues that recovery looks at.
--
-- KEYS  1 served queues, then each queue's leases, arrivals and suspects
-- ARGV  the queues
-- Returns the number taken out. What is in flight is under a lease.
local forgotten = 0
for i = 1, #ARGV do
  if redis.call('EXISTS', KEYS[3 * i - 1], KEYS[3 * i], KEYS[3 * i + 1]) == 0 then
    forgotten = forgotten + redis.call('SREM', KEYS[1], ARGV[i])
  end
end
return forgotten
