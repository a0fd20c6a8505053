#!lua
-- Adds a batch of resque-scheduler's delayed jobs to their seconds in the other Redis, unless an earlier call
-- did. Without allow-oom: a full Redis refuses it.
--
-- KEYS  1 mark of the batch  2 seconds
--       then for each job: the list of its second, the set of lists that it is in
-- ARGV  for each job: its second, the score of that, the name of the list in those sets, its bytes
-- Returns 1 when it is added, 0 when it was before. Without a batch nothing is added: it is only looked
-- whether one could be.
-- Promise: the batch and its mark are there, or nothing has changed. A second that is there keeps its score.
-- include /dev/mawashi/broker/can_add.lua
-- include /dev/mawashi/broker/need.lua
local mark, seconds = KEYS[1], KEYS[2]
if redis.call('GET', mark) then
  return 0
end
need('SET', mark, '', 'EX', 1)
can_add(seconds)
need('RPUSH', seconds, '')
for i = 3, #KEYS, 2 do
  redis.call('LLEN', KEYS[i])
  need('RPUSH', KEYS[i], '')
  need('SADD', KEYS[i + 1], '')
end
if #KEYS == 2 then
  return 0
end
-- It outlives any batch that has not ended; the end of the batch brings its own nearer.
redis.call('SET', mark, '1', 'EX', 34560000)
for i = 3, #KEYS, 2 do
  local at = 2 * i - 5
  redis.call('ZADD', seconds, 'NX', ARGV[at + 1], ARGV[at])
  redis.call('RPUSH', KEYS[i], ARGV[at + 3])
  -- It only helps to find the job.
  redis.pcall('SADD', KEYS[i + 1], ARGV[at + 2])
end
return 1
