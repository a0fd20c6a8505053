#!lua flags=allow-oom
-- Takes a job that an act has enqueued back into the set where it was, if it waits among the last so many
-- of its queue still. What was noted of it goes in the same step, so that two who undo the act at once
-- undo each job once.
--
-- KEYS  1 what is noted  2 queue  3 set
-- ARGV  1 how many jobs to look at, then as noted first: the queue's name, its bytes there, its bytes for
--       the set, score
-- Returns 1 when it was taken back. What may be forbidden, and all keys, are looked at first.
-- include /dev/mawashi/broker/add_twin.lua
-- include /dev/mawashi/broker/can_add.lua
-- include /dev/mawashi/broker/need.lua
for i, word in ipairs(redis.call('LRANGE', KEYS[1], 0, 3)) do
  if word ~= ARGV[i + 1] then
    return 0 -- someone else has done it
  end
end
can_add(KEYS[3])
redis.call('TIME')
need('LREM', KEYS[2], 1, '')
need('LTRIM', KEYS[1], 0, -1)
local back = 0
if redis.call('EXISTS', KEYS[1]) == 1 and redis.call('LPOS', KEYS[2], ARGV[3], 'MAXLEN', ARGV[1]) then
  add_twin(KEYS[3], ARGV[5], ARGV[4])
  redis.call('LREM', KEYS[2], 1, ARGV[3])
  back = 1
end
redis.call('LTRIM', KEYS[1], 4, -1)
return back
