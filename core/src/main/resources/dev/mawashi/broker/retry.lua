#!lua flags=allow-oom
-- Moves a failed job from the in-flight store to the retry set.
--
-- KEYS  1 in-flight hash  2 retry set
-- ARGV  1 token  2 seconds from now  3 new payload
-- Returns 1, or 0 when the token is gone (settled before or recovered by another process).
-- include add_twin.lua
-- include need.lua
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
-- A user who may not do this would leave the job in both places.
need('HDEL', KEYS[1], ARGV[1])
local time = redis.call('TIME')
local due = string.format('%.6f', time[1] + time[2] / 1000000 + tonumber(ARGV[2]))
add_twin(KEYS[2], due, ARGV[3])
redis.call('HDEL', KEYS[1], ARGV[1])
return 1
