#!lua flags=allow-oom
-- Moves due jobs of resque-scheduler's from one second's list to the back of one queue, unless a
-- resque-scheduler is master. It looks in the same step, so that the two never both move a job.
--
-- KEYS  1 master lock  2 seconds  3 the second's list  4 queues  5 queue
--       then for each job: the set of lists that it is in
-- ARGV  1 second  2 name of its list in those sets  3 queue name
--       then for each job: its bytes in the list, its bytes for the queue
-- Returns the number moved, or -1 when there is a master. A job that is no longer the list's first was
-- taken by someone else, and ends the move. The queue comes first, so that one that is no list leaves
-- everything as it was. An empty list's second goes.
-- include need.lua
-- include master.lua
if has_master(KEYS[1]) then
  return -1
end
-- A user who may not do this would leave the job in both places.
need('LTRIM', KEYS[3], 1, -1)
local moved = 0
for i = 4, #ARGV, 2 do
  if not redis.call('LPOS', KEYS[3], ARGV[i], 'MAXLEN', 1) then
    break
  end
  redis.call('RPUSH', KEYS[5], ARGV[i + 1])
  redis.call('LTRIM', KEYS[3], 1, -1)
  redis.pcall('SREM', KEYS[6 + moved], ARGV[2])
  moved = moved + 1
end
if moved > 0 then
  redis.pcall('SADD', KEYS[4], ARGV[3])
end
if redis.call('LLEN', KEYS[3]) == 0 then
  redis.call('ZREM', KEYS[2], ARGV[1])
end
return moved
