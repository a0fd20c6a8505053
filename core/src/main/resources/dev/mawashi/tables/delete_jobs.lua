#!lua flags=allow-oom
-- Removes waiting jobs with their locks, and keeps the first of them for a while, so that the act can be
-- undone.
--
-- KEYS  1 queue  2 locks  3 list of what is kept, if anything is
-- ARGV  1 seconds that it is kept  then for each job, in the order in which they were read: its bytes,
--       its place (mark_jobs.lua), '1' when it is to be kept, its lock's digest or '', the lock's owner
-- Returns for each job what take_out does.
-- include /dev/mawashi/broker/free.lua
-- include /dev/mawashi/broker/need.lua
-- include /dev/mawashi/tables/mark_jobs.lua
-- include /dev/mawashi/tables/can_push.lua
local jobs, places = {}, {}
for i = 2, #ARGV, 5 do
  jobs[#jobs + 1] = ARGV[i]
  places[#places + 1] = tonumber(ARGV[i + 1])
end
-- As in the queue: the next to run is the last.
local push = places[1] < 0 and 'LPUSH' or 'RPUSH'
if KEYS[3] then
  -- What may be refused is tried first, so that it leaves the queue as it was.
  can_push(KEYS[3], push)
  redis.call('EXPIRE', KEYS[3], ARGV[1])
end
local states = take_out(KEYS[1], jobs, places)
local has_kept = false
for i, job in ipairs(jobs) do
  if states[i] == 1 and ARGV[5 * i - 1] == '1' then
    redis.call(push, KEYS[3], job)
    has_kept = true
  end
end
if has_kept then
  redis.call('EXPIRE', KEYS[3], ARGV[1])
end
for i = 1, #jobs do
  if states[i] == 1 then
    free(KEYS[2], ARGV[5 * i], ARGV[5 * i + 1])
  end
end
return states
