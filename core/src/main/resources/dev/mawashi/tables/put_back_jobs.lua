#!lua flags=allow-oom
-- Puts jobs that were removed from a queue to its head: they are older than most that wait there.
--
-- KEYS  1 list of what is kept  2 queue  3 queues
-- ARGV  1 queue name
-- Returns the number put back. What is kept has a limit in number and bytes, so this takes moments.
local jobs = redis.call('LRANGE', KEYS[1], 0, -1)
if #jobs == 0 then
  return 0
end
-- What may be refused comes before the jobs are put anywhere.
-- include /dev/mawashi/broker/need.lua
need('DEL', KEYS[1])
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('RPUSH', KEYS[2], unpack(jobs))
redis.call('DEL', KEYS[1])
return #jobs
