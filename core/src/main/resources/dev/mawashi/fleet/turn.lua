#!lua flags=allow-oom
-- Takes or keeps the turn to do what one program does at a time, or ends it. Carries allow-oom, since a restart
-- or a migration may be what drains a full Redis; the one key is small and expires.
--
-- KEYS  1 the turn
-- ARGV  1 whose turn it is to be  2 ms until it lapses; 0 ends it
-- Returns whose turn it is then; nothing once it has ended. The turn of another is left alone.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return holder
end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
  return false
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
