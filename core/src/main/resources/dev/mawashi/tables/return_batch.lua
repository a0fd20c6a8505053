#!lua flags=allow-oom
-- Puts a batch of a migration back to the place that it was taken from, since the other Redis has refused it.
--
-- KEYS  1 batch  2 queue, set or counter
-- ARGV  1 'list', 'set' or 'count'  2 head of the batch  3 the side of a queue's next job, such as 'RIGHT'
-- Returns 1, or 0 where there is no such batch.
-- Promise: the jobs of a queue are the next ones again, in their order.
-- include /dev/mawashi/broker/add_twin.lua
-- include /dev/mawashi/broker/can_add.lua
-- include /dev/mawashi/broker/need.lua
-- include /dev/mawashi/broker/whole.lua
local batch, place = KEYS[1], KEYS[2]
local is_left = ARGV[3] == 'LEFT'
need('DEL', batch)
if redis.call('LINDEX', batch, 0) ~= ARGV[2] then
  return 0
end
local entries = redis.call('LRANGE', batch, 1, -1)
if ARGV[1] == 'list' then
  local last_first = {}
  for i = #entries, 1, -1 do
    last_first[#last_first + 1] = entries[i]
  end
  redis.call(is_left and 'LPUSH' or 'RPUSH', place, unpack(last_first))
elseif ARGV[1] == 'set' then
  can_add(place)
  redis.call('TIME')
  for i = 1, #entries, 2 do
    add_twin(place, entries[i], entries[i + 1])
  end
else
  need('SET', place, '')
  need('EXPIRE', place, 1)
  redis.call('SET', place, string.format('%.0f', whole(redis.call('GET', place)) + entries[2]))
  if tonumber(entries[1]) > 0 then
    redis.call('EXPIRE', place, entries[1])
  end
end
redis.call('DEL', batch)
return 1
