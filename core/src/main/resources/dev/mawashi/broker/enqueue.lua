#!lua
-- Enqueues jobs together, now or for later, unless an earlier call with the same receipt's key did.
-- Without allow-oom: a full Redis refuses new jobs.
--
-- KEYS  1 queues  2 schedule, then for each queue its list, then perhaps the receipt
-- ARGV  1 what the receipt holds; '' without one  2 seconds that it is kept  3 number of queues, then for each
--       queue: its name, its number of jobs, the jobs; then for each job for later: its due time, the job
-- Returns nothing when all are enqueued, else what the earlier call's receipt holds.
-- Promise: all jobs are enqueued and the receipt is there, or nothing has changed.
-- include can_add.lua
-- include need.lua
local receipt = ARGV[1] ~= '' and KEYS[#KEYS]
if receipt then
  local earlier = redis.call('GET', receipt)
  if earlier then
    return earlier
  end
  need('SET', receipt, '', 'EX', 1)
end

-- A key of a wrong type, or a user who may not do this, ends the script here, before anything has changed.
local names, lists, from = {}, {}, 4
for i = 1, tonumber(ARGV[3]) do
  local list, to = KEYS[2 + i], from + 1 + ARGV[from + 1]
  redis.call('LLEN', list)
  need('LPUSH', list, '')
  names[i], lists[i] = ARGV[from], { from + 2, to }
  from = to + 1
end
if #names > 0 then
  redis.call('SISMEMBER', KEYS[1], '')
  need('SADD', KEYS[1], '')
end
if from <= #ARGV then
  can_add(KEYS[2])
  redis.call('ZADD', KEYS[2], unpack(ARGV, from))
end
if #names > 0 then
  redis.call('SADD', KEYS[1], unpack(names))
end
for i, range in ipairs(lists) do
  redis.call('LPUSH', KEYS[2 + i], unpack(ARGV, range[1], range[2]))
end
if receipt then
  redis.call('SET', receipt, ARGV[1], 'EX', ARGV[2])
end
return false
