#!lua flags=allow-oom
-- Moves a failed Resque job from the in-flight store to a failure list, and counts it.
--
-- KEYS  1 in-flight hash  2 failure list  3 names of queues' own failure lists  4 failed runs
--       5 failed runs of the worker
-- ARGV  1 token  2 failure record  3 name of the list when it is a queue's own, otherwise ''
-- Returns 1, or 0 when the token is gone (settled before or recovered by another process).
-- A list of a wrong type ends the script before anything has changed. What follows it must not end it
-- any more: the job would be in both places.
-- include need.lua
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
need('HDEL', KEYS[1], ARGV[1])
redis.call('RPUSH', KEYS[2], ARGV[2])
redis.call('HDEL', KEYS[1], ARGV[1])
if ARGV[3] ~= '' then
  redis.pcall('SADD', KEYS[3], ARGV[3])
end
redis.pcall('INCR', KEYS[4])
redis.pcall('INCR', KEYS[5])
return 1
