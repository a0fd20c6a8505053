#!lua flags=allow-oom
-- Empties a queue and takes its name out of the list of queues, as Sidekiq's Queue#clear; jobs in
-- flight, and what has come to a process, stay. The jobs of a small one are kept for a while, so that the
-- act can be undone. Where there are locks all go to a place of their own too, so that whoever calls this
-- can free their locks.
--
-- KEYS  1 queues  2 queue  3 arrivals of older builds  4 suspects  5 locks  6 place of cleared jobs
--       7 key for what is kept; none to keep nothing
-- ARGV  1 most jobs that are kept  2 most bytes  3 seconds  4 queue name
-- Returns { number of jobs that waited, how many of them are kept, whether they are at their place }; as the
--           number -1 where there is no queue of that name, -2 where jobs of another clear are at the place:
--           then nothing has changed. Of what is kept the rightmost is the next to run.
-- include can_keep.lua
-- include /dev/mawashi/broker/need.lua
-- A key of a wrong type, or a user who may not do this, ends the script before it has moved anything.
redis.call('SREM', KEYS[1], '')
need('UNLINK', KEYS[2], KEYS[3], KEYS[4])
need('RENAME', KEYS[2], KEYS[6])
need('RPUSH', KEYS[6], '')
for k = 6, #KEYS do
  redis.call('LLEN', KEYS[k])
  redis.call('EXPIRE', KEYS[k], ARGV[3])
end
if redis.call('EXISTS', KEYS[6]) == 1 then
  return { -2, 0, 0 }
end
local jobs = 0
for k = 2, 4 do
  need('LRANGE', KEYS[k], 0, -1)
  jobs = jobs + redis.call('LLEN', KEYS[k])
end
local has_locks = redis.call('EXISTS', KEYS[5]) == 1
local function put(first, key)
  for k = first, 4 do
    for _, job in ipairs(redis.call('LRANGE', KEYS[k], 0, -1)) do
      redis.call('RPUSH', key, job)
    end
  end
  redis.call('EXPIRE', key, ARGV[3])
end
local kept, placed = 0, jobs > 0 and has_locks and 1 or 0
if jobs > 0 and KEYS[7] and can_keep(jobs, { KEYS[2], KEYS[3], KEYS[4] }, ARGV) then
  put(2, KEYS[7])
  kept = jobs
end
if placed == 1 then
  if redis.call('LLEN', KEYS[2]) > 0 then
    redis.call('RENAME', KEYS[2], KEYS[6])
  end
  put(3, KEYS[6])
end
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4])
if redis.call('SREM', KEYS[1], ARGV[4]) == 0 and jobs == 0 then
  return { -1, 0, 0 }
end
return { jobs, kept, placed }
