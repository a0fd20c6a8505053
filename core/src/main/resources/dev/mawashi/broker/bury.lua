#!lua flags=allow-oom
-- Moves a job from the in-flight store to the dead set and trims that set as Sidekiq does. It frees the
-- job's lock, since nothing runs a dead job by itself.
--
-- KEYS  1 in-flight hash  2 dead set  3 locks, if it has one
-- ARGV  1 token  2 payload  3 seconds a dead job is kept  4 most dead jobs  5 the lock's digest  6 its owner, if
--       it is this job
-- Returns { 1 or 0 when the token is gone, number of old entries trimmed }.
-- include add_twin.lua
-- include free.lua
-- include need.lua
-- include trim.lua
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return { 0, 0 }
end
-- A user who may not do this would leave the job in both places.
need('HDEL', KEYS[1], ARGV[1])
local time = redis.call('TIME')
local now = string.format('%.6f', time[1] + time[2] / 1000000)
add_twin(KEYS[2], now, ARGV[2])
redis.call('HDEL', KEYS[1], ARGV[1])
if KEYS[3] then
  free(KEYS[3], ARGV[5], ARGV[6])
end
-- It is buried: what may not be trimmed now, a later one takes out.
local is_done, trimmed = pcall(trim, KEYS[2], ARGV[3], ARGV[4], 1)
return { 1, is_done and trimmed or 0 }
