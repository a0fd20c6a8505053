#!lua flags=allow-oom
-- Empties a sorted set of jobs. A small one is kept for a while, so that the act can be undone.
--
-- KEYS  1 set  2 key for what is kept; none to keep nothing
-- ARGV  1 most jobs that are kept  2 most bytes  3 seconds
-- Returns { number of jobs that were in it, how many of them are kept }.
-- include can_keep.lua
local jobs = redis.call('ZCARD', KEYS[1])
if KEYS[2] then
  redis.call('EXPIRE', KEYS[2], ARGV[3]) -- a user who may not do this leaves the set as it was
end
if jobs > 0 and KEYS[2] and can_keep(jobs, { KEYS[1] }, ARGV) then
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('EXPIRE', KEYS[2], ARGV[3])
  return { jobs, jobs }
end
redis.call('UNLINK', KEYS[1])
return { jobs, 0 }
