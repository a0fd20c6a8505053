#!lua flags=allow-oom
-- Makes a step towards a queue that begins with the jobs which a migration has brought: moves some of the
-- queue's next jobs behind those. Once none is left in the queue, all of them become the queue.
--
-- KEYS  1 list of the jobs that were brought  2 queue  3 queues  4 mark that this is done
-- ARGV  1 name of the queue  2 most jobs  3 most bytes (one job is moved whatever its size)  4 seconds that
--       the mark is kept; 0 to look only whether this may be done
-- Returns 1 when that is done, else 0: the next step goes on from there, whoever makes it.
-- Promise: a job is in one of the lists, and both keep their order.
-- include /dev/mawashi/broker/need.lua
local brought, queue = KEYS[1], KEYS[2]
redis.call('GET', KEYS[4])
redis.call('LLEN', queue)
redis.call('LLEN', brought)
redis.call('SISMEMBER', KEYS[3], '')
need('SET', KEYS[4], '', 'EX', 1)
need('LMOVE', queue, brought, 'RIGHT', 'LEFT')
need('RENAME', brought, queue)
need('SADD', KEYS[3], '')
if ARGV[4] == '0' then
  return 1
end
if redis.call('LLEN', brought) == 0 then
  redis.call('SET', KEYS[4], '1', 'EX', ARGV[4])
  return 1
end
redis.call('SADD', KEYS[3], ARGV[1])
local left, budget = tonumber(ARGV[2]), tonumber(ARGV[3])
while left > 0 and budget > 0 do
  local job = redis.call('LMOVE', queue, brought, 'RIGHT', 'LEFT')
  if not job then
    redis.call('RENAME', brought, queue)
    redis.call('SET', KEYS[4], '1', 'EX', ARGV[4])
    return 1
  end
  left, budget = left - 1, budget - #job
end
return 0
