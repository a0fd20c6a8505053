#!lua flags=allow-oom
-- Empties a sorted set of jobs. A small one is kept for a while, so that the act can be undone. Where there
-- are locks all jobs go to a place of their own too, so that whoever calls this can free their locks.
--
-- KEYS  1 set  2 locks  3 place of cleared jobs  4 key for what is kept; none to keep nothing
-- ARGV  1 most jobs that are kept  2 most bytes  3 seconds
-- Returns { number of jobs that were in it, how many of them are kept, whether they are at their place }; -2
--           as the number where jobs of another clear are at the place: then nothing has changed.
-- include can_keep.lua
-- include /dev/mawashi/broker/need.lua
local jobs = redis.call('ZCARD', KEYS[1])
-- A user who may not do this leaves the set as it was.
need('UNLINK', KEYS[1])
need('ZADD', KEYS[3], 0, '')
for k = 3, #KEYS do
  need('RENAME', KEYS[1], KEYS[k])
  redis.call('EXPIRE', KEYS[k], ARGV[3])
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  return { -2, 0, 0 }
end
local kept, placed = 0, jobs > 0 and redis.call('EXISTS', KEYS[2]) or 0
if jobs > 0 and KEYS[4] and can_keep(jobs, { KEYS[1] }, ARGV) then
  if placed == 1 then
    for _, job in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
      redis.call('ZADD', KEYS[3], 0, job)
    end
  end
  redis.call('RENAME', KEYS[1], KEYS[4])
  redis.call('EXPIRE', KEYS[4], ARGV[3])
  kept = jobs
elseif placed == 1 then
  redis.call('RENAME', KEYS[1], KEYS[3])
end
redis.call('UNLINK', KEYS[1])
redis.call('EXPIRE', KEYS[3], ARGV[3])
return { jobs, kept, placed }
