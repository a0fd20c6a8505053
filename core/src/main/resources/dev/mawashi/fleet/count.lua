#!lua flags=allow-oom
-- Adds to a counter and to its counter of the day.
--
-- KEYS  1 counter  2 counter of the day
-- ARGV  1 number  2 seconds for which the day's counter is kept
-- Returns a counter, or what one of them refused: one that is no number does not keep the other back.
local all = redis.pcall('INCRBY', KEYS[1], ARGV[1])
local day = redis.pcall('INCRBY', KEYS[2], ARGV[1])
redis.pcall('EXPIRE', KEYS[2], ARGV[2])
return type(all) == 'table' and all or day
