#!lua flags=allow-oom
-- Delays the first of resque-scheduler's jobs of one second until a later one, as it would itself,
-- unless a resque-scheduler is master.
--
-- KEYS  1 master lock  2 seconds  3 the second's list  4 the later one's list
--       then for each job: the set of lists that it is in
-- ARGV  1 second  2 name of its list in those sets  3 later second  4 name of its list
--       then for each job: its bytes
-- Returns the number delayed, or -1 when there is a master. A job that is no longer the list's first was
-- taken by someone else, and ends it. The later second comes first, since one without jobs is forgotten.
-- include need.lua
-- include master.lua
if has_master(KEYS[1]) then
  return -1
end
-- A user who may not do this would leave the job in both places.
need('LTRIM', KEYS[3], 1, -1)
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[3])
local moved = 0
for i = 5, #ARGV do
  if not redis.call('LPOS', KEYS[3], ARGV[i], 'MAXLEN', 1) then
    break
  end
  redis.call('RPUSH', KEYS[4], ARGV[i])
  redis.call('LTRIM', KEYS[3], 1, -1)
  redis.pcall('SREM', KEYS[5 + moved], ARGV[2])
  redis.pcall('SADD', KEYS[5 + moved], ARGV[4])
  moved = moved + 1
end
if redis.call('LLEN', KEYS[3]) == 0 then
  redis.call('ZREM', KEYS[2], ARGV[1])
end
return moved
