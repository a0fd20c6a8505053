#!lua flags=allow-oom
-- Empties a queue and takes its name out of the list of queues, as Sidekiq's Queue#clear; jobs in
-- flight stay.
--
-- KEYS  1 queues  2 queue  3 arrivals  4 suspects
-- ARGV  1 queue name
-- Returns the number of jobs that waited; -1 where there is no queue of that name.
local jobs = 0
for k = 2, 4 do
  jobs = jobs + redis.call('LLEN', KEYS[k])
end
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4])
if redis.call('SREM', KEYS[1], ARGV[1]) == 0 and jobs == 0 then
  return -1
end
return jobs
