#!lua flags=allow-oom
-- Moves waiting jobs to another queue, whose last they become, in their order.
--
-- KEYS  1 queue  2 other queue  3 queues
-- ARGV  1 name of the other queue  then for each job, the next to run first: its bytes, its place
--       (mark_jobs.lua), its bytes for the other queue
-- Returns for each job what take_out does.
-- What may be refused is tried first, so that it leaves this queue as it was.
-- include /dev/mawashi/broker/need.lua
-- include /dev/mawashi/tables/mark_jobs.lua
-- include /dev/mawashi/tables/can_push.lua
can_push(KEYS[2], 'LPUSH')
redis.call('SREM', KEYS[3], '')
local is_new = redis.call('SADD', KEYS[3], ARGV[1]) == 1
local jobs, places = {}, {}
for i = 2, #ARGV, 3 do
  jobs[#jobs + 1] = ARGV[i]
  places[#places + 1] = tonumber(ARGV[i + 1])
end
local states = take_out(KEYS[1], jobs, places)
local has_moved = false
for i = 1, #jobs do
  if states[i] == 1 then
    redis.call('LPUSH', KEYS[2], ARGV[3 * i + 1])
    has_moved = true
  end
end
if is_new and not has_moved then
  redis.call('SREM', KEYS[3], ARGV[1])
end
return states
