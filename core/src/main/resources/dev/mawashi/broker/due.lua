#!lua flags=no-writes
-- Lists what is due in a sorted set of scheduled jobs, and when the next thing is.
--
-- KEYS  1 schedule or retry set
-- ARGV  1 most entries  2 most bytes (one entry is listed whatever its size)
-- Returns { milliseconds until the next entry that is not due yet (-1: there is none), payloads... }
-- include read_some.lua
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local text = string.format('%.6f', now)
local reply = read_some(function(first, count)
  return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', text, 'LIMIT', first, count)
end, tonumber(ARGV[1]), tonumber(ARGV[2]))
local after = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. text, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
local wait_ms = -1
if after[2] and after[2] ~= 'inf' then
  wait_ms = math.ceil((tonumber(after[2]) - now) * 1000)
end
table.insert(reply, 1, wait_ms)
return reply
