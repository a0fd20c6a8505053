#!lua flags=allow-oom
-- Empties a sorted set of jobs.
--
-- KEYS  1 set
-- Returns the number of jobs that were in it.
local jobs = redis.call('ZCARD', KEYS[1])
redis.call('UNLINK', KEYS[1])
return jobs
