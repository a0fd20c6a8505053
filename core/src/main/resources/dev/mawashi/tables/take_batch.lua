#!lua flags=allow-oom
-- Takes the next jobs of a queue, the first entries of a sorted set, or a counter into the one batch of a
-- migration.
--
-- KEYS  1 queue, set or counter  2 batch  3 turn of the migration  4 locks
-- ARGV  1 'list', 'set' or 'count'  2 what the turn holds  3 head of the batch  4 most entries
--       5 most bytes (one entry is taken whatever its size)  6 the side of a queue's next job, such as 'RIGHT'
-- Returns the batch: its head, then the jobs in the order in which they run; of a set each score before its
-- entry; of a counter its seconds to live, -1 for no end, and its number. Nothing where there is nothing to
-- take, 0 where another has the turn.
-- Promise: an entry is in its place or in the batch. While there is a batch none is taken, and that one is
-- returned: it may be this call's own, whose first reply was lost.
-- include /dev/mawashi/broker/need.lua
-- include /dev/mawashi/broker/read_some.lua
-- include /dev/mawashi/broker/whole.lua
local place, batch = KEYS[1], KEYS[2]
if redis.call('GET', KEYS[3]) ~= ARGV[2] then
  return 0
end
if redis.call('LLEN', batch) > 0 then
  return redis.call('LRANGE', batch, 0, -1)
end
local most, budget = tonumber(ARGV[4]), tonumber(ARGV[5])
need('RPUSH', batch, '')
need('LRANGE', batch, 0, -1)
-- So that end_batch.lua is not refused.
need('DEL', batch)
need('HDEL', KEYS[4], '')
redis.call('HGET', KEYS[4], '')

local function take_list()
  if redis.call('LLEN', place) == 0 then
    return
  end
  need('LMOVE', place, batch, ARGV[6], 'RIGHT')
  redis.call('RPUSH', batch, ARGV[3])
  for _ = 1, most do
    local job = redis.call('LMOVE', place, batch, ARGV[6], 'RIGHT')
    if not job then
      break
    end
    budget = budget - #job
    if budget <= 0 then
      break
    end
  end
end

local function take_set()
  local function read(first, count)
    return redis.call('ZRANGE', place, first, first + count - 1)
  end
  need('ZREM', place, '')
  local entries, scored = read_some(read, most, budget), { ARGV[3] }
  if #entries > 0 then
    for i, score in ipairs(redis.call('ZMSCORE', place, unpack(entries))) do
      scored[2 * i], scored[2 * i + 1] = score, entries[i]
    end
    redis.call('RPUSH', batch, unpack(scored))
    redis.call('ZREM', place, unpack(entries))
  end
end

local function take_count()
  local count = whole(redis.call('GET', place))
  if count > 0 then
    need('DEL', place)
    redis.call('RPUSH', batch, ARGV[3], redis.call('TTL', place), string.format('%.0f', count))
    redis.call('DEL', place)
  end
end

if ARGV[1] == 'list' then
  take_list()
elseif ARGV[1] == 'set' then
  take_set()
else
  take_count()
end
if redis.call('LLEN', batch) == 0 then
  return false
end
return redis.call('LRANGE', batch, 0, -1)
