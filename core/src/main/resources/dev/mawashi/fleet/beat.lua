#!lua flags=allow-oom
-- Writes a process's record and what runs in it, and takes one signal sent to it. Carries allow-oom,
-- since a process is to be seen and stopped above all when Redis is full.
--
-- KEYS  1 processes  2 record  3, 4 running jobs (under both names)  5 signals
-- ARGV  1 identity  2 seconds to live  3 how many follow: fields of the record with their values
--       after these: slot and work of each running job
-- Returns whether the record was there, and a signal or nothing.
local work = 4 + ARGV[3]
local was_there = redis.call('EXISTS', KEYS[2])
redis.call('SADD', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], unpack(ARGV, 4, work - 1))
redis.call('EXPIRE', KEYS[2], ARGV[2])
redis.call('UNLINK', KEYS[3], KEYS[4])
if ARGV[work] then
  for k = 3, 4 do
    for i = work, #ARGV, 1000 do
      redis.call('HSET', KEYS[k], unpack(ARGV, i, math.min(i + 999, #ARGV)))
    end
    redis.call('EXPIRE', KEYS[k], ARGV[2])
  end
end
return { was_there, redis.call('RPOP', KEYS[5]) }
