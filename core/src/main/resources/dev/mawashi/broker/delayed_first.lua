#!lua flags=no-writes
-- Lists the first of resque-scheduler's jobs of one second.
--
-- KEYS  1 the second's list
-- ARGV  1 most jobs  2 most bytes (one job is listed whatever its size)
-- Returns the jobs.
-- include read_some.lua
return read_some(function(first, count)
  return redis.call('LRANGE', KEYS[1], first, first + count - 1)
end, tonumber(ARGV[1]), tonumber(ARGV[2]))
