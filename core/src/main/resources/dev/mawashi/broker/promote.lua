#!lua flags=allow-oom
-- Moves due jobs from the schedule or retry set to the back of one queue.
--
-- KEYS  1 set  2 queues  3 queue
-- ARGV  1 queue name, then for each job: its bytes in the set, its bytes for the queue
-- Returns the number moved; an entry that is no longer there was taken by someone else.
local moved = 0
for i = 2, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) then
    redis.call('LPUSH', KEYS[3], ARGV[i + 1])
    redis.call('ZREM', KEYS[1], ARGV[i])
    moved = moved + 1
  end
end
if moved > 0 then
  redis.call('SADD', KEYS[2], ARGV[1])
end
return moved
