#!lua flags=allow-oom
-- Moves an entry that is no job from the schedule or retry set to the dead set, as it is,
-- and trims that set as Sidekiq does.
--
-- KEYS  1 set  2 dead set
-- ARGV  1 entry  2 seconds a dead job is kept  3 most dead jobs
-- Returns the number of old entries trimmed; an entry that is no longer there was taken by someone else.
-- include add_twin.lua
-- include trim.lua
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return 0
end
local time = redis.call('TIME')
local now = string.format('%.6f', time[1] + time[2] / 1000000)
add_twin(KEYS[2], now, ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
return trim(KEYS[2], ARGV[2], ARGV[3], 1)
