#!lua flags=allow-oom
-- Ends a job that has a lock: takes it out of the in-flight store, and frees the lock.
--
-- KEYS  1 in-flight hash  2 locks
-- ARGV  1 token  2 the lock's digest  3 its owner, if it is this job
-- Returns 1, or 0 when the token is gone (settled before or recovered by another process): the lock is then
--           what that has made of it.
-- Promise: the lock is freed with the job's end or, whatever Redis refuses, not before it.
-- include free.lua
-- include need.lua
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
need('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
free(KEYS[2], ARGV[2], ARGV[3])
return 1
