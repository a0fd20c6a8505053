#!lua flags=allow-oom
-- Moves waiting jobs to another queue, in their order.
--
-- KEYS  1 queue  2 other queue  3 queues
-- ARGV  1 name of the other queue  2 'back' or 'head': where they go  then for each job, the next to run
--       first (for the head: last): its bytes, its bytes for the other queue
-- Returns the number moved; a job that is no longer there runs, or was taken by someone else.
-- The other queue is looked at first, so that one that is no list leaves this one as it was. What goes to
-- the head was moved here a while ago, and is looked for among the newest only.
redis.call('LLEN', KEYS[2])
local to_head = ARGV[2] == 'head'
local moved = 0
for i = 3, #ARGV, 2 do
  local found
  if to_head then
    found = redis.call('LPOS', KEYS[1], ARGV[i], 'MAXLEN', 2000) and redis.call('LREM', KEYS[1], 1, ARGV[i])
  else
    found = redis.call('LREM', KEYS[1], -1, ARGV[i])
  end
  if found == 1 then
    redis.call(to_head and 'RPUSH' or 'LPUSH', KEYS[2], ARGV[i + 1])
    moved = moved + 1
  end
end
if moved > 0 then
  redis.call('SADD', KEYS[3], ARGV[1])
end
return moved
