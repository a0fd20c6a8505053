#!lua flags=no-writes
-- Returns which of resque-scheduler's jobs are due.
--
-- KEYS  1 seconds  2 master lock
-- Returns { 1 if there is a master, milliseconds until the next second that is not due yet (-1: there
-- is none), the second that it is now, the first second that is due or nothing }.
-- include master.lua
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', time[1], 'LIMIT', 0, 1)
local after = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. time[1], '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
local wait_ms = -1
if after[2] and after[2] ~= 'inf' then
  wait_ms = math.ceil((tonumber(after[2]) - now) * 1000)
end
return { has_master(KEYS[2]) and 1 or 0, wait_ms, tonumber(time[1]), due[1] }
