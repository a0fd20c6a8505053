#!lua flags=allow-oom
-- Empties a queue and takes its name out of the list of queues, as Sidekiq's Queue#clear; jobs in
-- flight, and what has come to a process, stay. The jobs of a small one are kept for a while, so that the
-- act can be undone.
--
-- KEYS  1 queues  2 queue  3 arrivals of older builds  4 suspects  5 key for what is kept; none to keep nothing
-- ARGV  1 most jobs that are kept  2 most bytes  3 seconds  4 queue name
-- Returns { number of jobs that waited, how many of them are kept }; -1 as the number where there is no
--           queue of that name. Of what is kept the rightmost is the next to run.
-- include can_keep.lua
-- include /dev/mawashi/broker/need.lua
-- A key of a wrong type, or a user who may not do this, ends the script before it has moved anything.
redis.call('SREM', KEYS[1], '')
need('UNLINK', KEYS[2], KEYS[3], KEYS[4])
if KEYS[5] then
  redis.call('LLEN', KEYS[5])
  redis.call('EXPIRE', KEYS[5], ARGV[3])
end
local jobs = 0
for k = 2, 4 do
  need('LRANGE', KEYS[k], 0, -1)
  jobs = jobs + redis.call('LLEN', KEYS[k])
end
local kept = 0
if jobs > 0 and KEYS[5] and can_keep(jobs, { KEYS[2], KEYS[3], KEYS[4] }, ARGV) then
  for k = 2, 4 do
    for _, job in ipairs(redis.call('LRANGE', KEYS[k], 0, -1)) do
      redis.call('RPUSH', KEYS[5], job)
    end
  end
  redis.call('EXPIRE', KEYS[5], ARGV[3])
  kept = jobs
end
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4])
if redis.call('SREM', KEYS[1], ARGV[4]) == 0 and jobs == 0 then
  return { -1, 0 }
end
return { jobs, kept }
