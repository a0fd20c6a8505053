#!lua flags=allow-oom
-- Moves jobs that were moved a while ago back, to the head of the queue where they were. They are looked
-- for among the newest.
--
-- KEYS  1 queue  2 queue where they were  3 queues
-- ARGV  1 name of the latter  then for each job, the next to run last: its bytes, its bytes there
-- Returns the number moved; a job that is no longer there runs, or was taken by someone else.
-- The other queue is looked at first, so that one that is no list leaves this one as it was.
redis.call('LLEN', KEYS[2])
local moved = 0
for i = 2, #ARGV, 2 do
  if redis.call('LPOS', KEYS[1], ARGV[i], 'MAXLEN', 2000) and redis.call('LREM', KEYS[1], 1, ARGV[i]) == 1 then
    redis.call('RPUSH', KEYS[2], ARGV[i + 1])
    moved = moved + 1
  end
end
if moved > 0 then
  redis.call('SADD', KEYS[3], ARGV[1])
end
return moved
