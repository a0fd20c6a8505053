#!lua flags=allow-oom
-- Gives an owner whose lease on a queue is gone one that has lapsed, and the queue its place among
-- those that recovery looks at, so that what the owner has in flight there is recovered.
--
-- KEYS  1 served queues  2 leases  3 in-flight hash or arrivals
-- ARGV  1 queue  2 owner
-- Returns 1, or 0 when there is a lease or nothing in flight.
if redis.call('EXISTS', KEYS[3]) == 0 then
  return 0
end
redis.call('SADD', KEYS[1], ARGV[1])
return redis.call('ZADD', KEYS[2], 'NX', 0, ARGV[2])
