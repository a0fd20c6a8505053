#!lua flags=allow-oom
-- Empties a sorted set of jobs. A small one is kept for a while, so that the act can be undone. Where there
-- are locks a large one goes to a place of its own, so that whoever calls this can free its jobs' locks.
--
-- KEYS  1 set  2 locks  3 place of a large one  4 key for what is kept; none to keep nothing
-- ARGV  1 most jobs that are kept  2 most bytes  3 seconds
-- Returns { number of jobs that were in it, how many of them are kept, whether they are at their place }.
-- include can_keep.lua
-- include /dev/mawashi/broker/need.lua
local jobs = redis.call('ZCARD', KEYS[1])
-- A user who may not do this leaves the set as it was.
need('UNLINK', KEYS[1])
for k = 3, #KEYS do
  need('RENAME', KEYS[1], KEYS[k])
  redis.call('EXPIRE', KEYS[k], ARGV[3])
end
local kept, placed = 0, 0
if jobs > 0 and KEYS[4] and can_keep(jobs, { KEYS[1] }, ARGV) then
  redis.call('RENAME', KEYS[1], KEYS[4])
  redis.call('EXPIRE', KEYS[4], ARGV[3])
  kept = jobs
elseif jobs > 0 and redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('RENAME', KEYS[1], KEYS[3])
  redis.call('EXPIRE', KEYS[3], ARGV[3])
  placed = 1
else
  redis.call('UNLINK', KEYS[1])
end
return { jobs, kept, placed }
