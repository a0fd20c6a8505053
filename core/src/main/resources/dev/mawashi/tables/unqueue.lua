#!lua flags=allow-oom
-- Takes jobs that an act has enqueued back into the set where they were, as far as they wait among the
-- last so many of their queue still.
--
-- KEYS  1 queue  2 set
-- ARGV  1 how many jobs to look at, then for each: its bytes in the queue, its bytes for the set, score
-- Returns the number taken back.
-- include /dev/mawashi/broker/add_twin.lua
-- include /dev/mawashi/broker/can_add.lua
-- What may be refused is looked at first, so that it leaves the queue as it was.
can_add(KEYS[2])
redis.call('TIME')
local back = 0
for i = 2, #ARGV, 3 do
  if redis.call('LPOS', KEYS[1], ARGV[i], 'MAXLEN', ARGV[1]) then
    redis.call('LREM', KEYS[1], 1, ARGV[i])
    add_twin(KEYS[2], ARGV[i + 2], ARGV[i + 1])
    back = back + 1
  end
end
return back
