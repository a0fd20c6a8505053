#!lua flags=allow-oom
-- Takes the first of resque-scheduler's delayed jobs into the one batch of a migration.
--
-- KEYS  1 seconds  2 batch  3 turn of the migration  then the list of each second
-- ARGV  1 what the turn holds  2 head of the batch  3 most jobs
--       4 most bytes (one job is taken whatever its size)  then each second
-- Returns the batch: its head, then for each job its second, the score of that, and the job. Nothing where
-- these seconds have no job, 0 where another has the turn.
-- Promise: a job is in its list or in the batch, in its order. While there is a batch none is taken, and that
-- one is returned. A second whose list is empty goes.
-- include /dev/mawashi/broker/need.lua
local seconds, batch = KEYS[1], KEYS[2]
if redis.call('GET', KEYS[3]) ~= ARGV[1] then
  return 0
end
if redis.call('LLEN', batch) > 0 then
  return redis.call('LRANGE', batch, 0, -1)
end
redis.call('ZCARD', seconds)
need('RPUSH', batch, '')
need('LRANGE', batch, 0, -1)
-- So that end_batch.lua is not refused.
need('DEL', batch)
need('ZREM', seconds, '')
for i = 4, #KEYS do
  redis.call('LLEN', KEYS[i])
  need('LPOP', KEYS[i])
end

local most, budget, taken = tonumber(ARGV[3]), tonumber(ARGV[4]), { ARGV[2] }
for i = 4, #KEYS do
  local second = ARGV[i + 1]
  local score = redis.call('ZSCORE', seconds, second)
  while score and most > 0 and budget > 0 do
    local job = redis.call('LPOP', KEYS[i])
    if not job then
      break
    end
    local last = #taken
    taken[last + 1], taken[last + 2], taken[last + 3] = second, score, job
    most, budget = most - 1, budget - #job
  end
  if redis.call('LLEN', KEYS[i]) == 0 then
    redis.call('ZREM', seconds, second)
  end
end
if #taken == 1 then
  return false
end
redis.call('RPUSH', batch, unpack(taken))
return taken
