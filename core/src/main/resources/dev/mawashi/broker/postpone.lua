#!lua flags=allow-oom
-- Makes entries of the schedule or retry set due later than they are, in the order given.
--
-- KEYS  1 set
-- ARGV  1 seconds from now, then the entries
-- One that is no longer there was taken by someone else; one that is due still later stays as it is.
local time = redis.call('TIME')
local at = time[1] + time[2] / 1000000 + tonumber(ARGV[1])
for i = 2, #ARGV do
  redis.call('ZADD', KEYS[1], 'XX', 'GT', string.format('%.6f', at + i / 1000000), ARGV[i])
end
return #ARGV - 1
