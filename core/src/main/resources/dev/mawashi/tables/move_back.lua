#!lua flags=allow-oom
-- Moves some of the jobs that an act has moved back, to the head of the queue where they were, as far as
-- they wait among the newest of the other queue still. What was noted of them goes in the same step, so
-- that two who undo the act at once undo each job once.
--
-- KEYS  1 what is noted: for each job, the next to run first, its bytes in its queue and in the other
--       2 other queue  3 queue where they were  4 queues
-- ARGV  1 name of that queue  2 most jobs
-- Returns { jobs looked at, jobs moved }; a job that is no longer there runs, or was taken by someone else.
-- All keys, and what may be forbidden, are looked at first. The last noted goes first, so that the first
-- ends up as the next to run.
-- include /dev/mawashi/broker/need.lua
local some = redis.call('LRANGE', KEYS[1], -2 * ARGV[2], -1)
redis.call('LLEN', KEYS[2])
redis.call('SISMEMBER', KEYS[4], ARGV[1])
need('LREM', KEYS[2], 1, '')
need('LTRIM', KEYS[1], 0, -1)
local moved = 0
for i = #some - 1, 1, -2 do
  if redis.call('LPOS', KEYS[2], some[i + 1], 'MAXLEN', 2000) then
    if moved == 0 then
      redis.call('SADD', KEYS[4], ARGV[1])
    end
    redis.call('RPUSH', KEYS[3], some[i])
    redis.call('LREM', KEYS[2], 1, some[i + 1])
    moved = moved + 1
  end
end
redis.call('LTRIM', KEYS[1], 0, -#some - 1)
return { #some / 2, moved }
