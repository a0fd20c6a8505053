#!lua flags=allow-oom
-- Removes cleared jobs whose locks are free from the head of their place, and has the others wait there anew.
--
-- KEYS  1 place of cleared jobs, a list or a sorted set
-- ARGV  1 'list' or 'set'  2 how many are to go  3 the first of them  4 the last of them  5 seconds that the
--       others wait
-- Returns nothing; where the head is another, since others have freed these locks too, it removes none.
-- include /dev/mawashi/broker/need.lua
local most = tonumber(ARGV[2])
if ARGV[1] == 'list' then
  need('LTRIM', KEYS[1], 0, -1)
  redis.call('EXPIRE', KEYS[1], ARGV[5])
  if redis.call('LINDEX', KEYS[1], 0) == ARGV[3] and redis.call('LINDEX', KEYS[1], most - 1) == ARGV[4] then
    redis.call('LTRIM', KEYS[1], most, -1)
  end
else
  need('ZREMRANGEBYRANK', KEYS[1], 0, 0)
  redis.call('EXPIRE', KEYS[1], ARGV[5])
  local first, last = redis.call('ZRANGE', KEYS[1], 0, 0)[1], redis.call('ZRANGE', KEYS[1], most - 1, most - 1)[1]
  if first == ARGV[3] and last == ARGV[4] then
    redis.call('ZREMRANGEBYRANK', KEYS[1], 0, most - 1)
  end
end
return false
