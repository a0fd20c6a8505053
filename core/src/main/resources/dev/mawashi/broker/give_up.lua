#!lua flags=allow-oom
-- Ends an owner's lease on a queue if nothing of the owner's is in flight and no suspect waits there.
--
-- KEYS  1 leases  2 in-flight hash  3 suspects  4 arrivals
-- ARGV  1 owner
-- Returns 1, or 0 when the lease stays.
if redis.call('EXISTS', KEYS[2], KEYS[3], KEYS[4]) > 0 then
  return 0
end
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
