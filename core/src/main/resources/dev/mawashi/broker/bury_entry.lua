#!lua flags=allow-oom
-- Moves an entry that is no job from the schedule or retry set to the dead set, as it is.
--
-- KEYS  1 set  2 dead set
-- ARGV  1 entry
-- Returns 1, or 0 when it is no longer there.
-- include add_twin.lua
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return 0
end
local time = redis.call('TIME')
local now = string.format('%.6f', time[1] + time[2] / 1000000)
add_twin(KEYS[2], now, ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
return 1
