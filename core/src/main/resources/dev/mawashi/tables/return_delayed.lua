#!lua flags=allow-oom
-- Puts a batch of resque-scheduler's delayed jobs back to their seconds, since the other Redis has refused it.
--
-- KEYS  1 batch  2 seconds  then for each job the list of its second
-- ARGV  1 head of the batch
-- Returns 1, or 0 where there is no such batch.
-- Promise: the jobs of a second are its first ones again, in their order.
-- include /dev/mawashi/broker/can_add.lua
-- include /dev/mawashi/broker/need.lua
local batch, seconds = KEYS[1], KEYS[2]
need('DEL', batch)
if redis.call('LINDEX', batch, 0) ~= ARGV[1] then
  return 0
end
can_add(seconds)
for i = 3, #KEYS do
  redis.call('LLEN', KEYS[i])
  need('LPUSH', KEYS[i], '')
end
local entries = redis.call('LRANGE', batch, 1, -1)
for i = #KEYS, 3, -1 do
  local at = 3 * (i - 3)
  redis.call('ZADD', seconds, 'NX', entries[at + 2], entries[at + 1])
  redis.call('LPUSH', KEYS[i], entries[at + 3])
end
redis.call('DEL', batch)
return 1
