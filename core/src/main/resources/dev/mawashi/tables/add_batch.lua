#!lua
-- Adds a batch of a migration to its place in the other Redis, with the locks of its jobs, unless an earlier
-- call did. Without allow-oom: a full Redis refuses it.
--
-- KEYS  1 mark of the batch  2 list, sorted set or counter  3 queues  4 locks
-- ARGV  1 'list', 'set' or 'count'  2 name of the queue; '' for none  3 the side at which a list takes
--       new jobs, such as 'LEFT'  4 number of locks, then for each its digest and what it holds; then what the batch holds
-- Returns 1 when it is added, 0 when it was before. Without a batch nothing is added: it is only looked
-- whether one could be.
-- Promise: the batch and its mark are there, or nothing has changed. A lock that is another job's stays so.
-- include /dev/mawashi/broker/add_twin.lua
-- include /dev/mawashi/broker/can_add.lua
-- include /dev/mawashi/broker/need.lua
-- include /dev/mawashi/broker/whole.lua
local mark, place, queues, locks = unpack(KEYS)
local kind, is_left = ARGV[1], ARGV[3] == 'LEFT'
local from = 5 + 2 * ARGV[4]
if redis.call('GET', mark) then
  return 0
end
need('SET', mark, '', 'EX', 1)
if kind == 'list' then
  redis.call('LLEN', place)
  need(is_left and 'LPUSH' or 'RPUSH', place, '')
elseif kind == 'set' then
  can_add(place)
else
  redis.call('GET', place)
  need('SET', place, '')
  need('EXPIRE', place, 1)
end
if ARGV[2] ~= '' then
  redis.call('SISMEMBER', queues, '')
  need('SADD', queues, '')
end
redis.call('HLEN', locks)
need('HSETNX', locks, '', '')
need('PEXPIRE', locks, 1)
need('TTL', locks)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if from > #ARGV then
  return 0
end

-- It outlives any batch that has not ended; the end of the batch brings its own nearer.
redis.call('SET', mark, '1', 'EX', 34560000)
local longest = 0
for i = 5, from - 1, 2 do
  redis.call('HSETNX', locks, ARGV[i], ARGV[i + 1])
  longest = math.max(longest, whole(string.match(ARGV[i + 1], '^(%d+) ')) - now)
end
-- The key lasts for some seconds longer than its last lock.
if longest > 0 and redis.call('TTL', locks) * 1000 < longest + 1000 then
  redis.call('PEXPIRE', locks, longest + 2000)
end
if kind == 'list' then
  redis.call(is_left and 'LPUSH' or 'RPUSH', place, unpack(ARGV, from))
elseif kind == 'set' then
  for i = from, #ARGV, 2 do
    add_twin(place, ARGV[i], ARGV[i + 1])
  end
else
  redis.call('SET', place, string.format('%.0f', whole(redis.call('GET', place)) + ARGV[from + 1]))
  if tonumber(ARGV[from]) > 0 then
    redis.call('EXPIRE', place, ARGV[from])
  end
end
if ARGV[2] ~= '' then
  redis.call('SADD', queues, ARGV[2])
end
return 1
