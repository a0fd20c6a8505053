#!lua flags=allow-oom
-- Adds to a counter and to its counter of the day.
--
-- KEYS  1 counter  2 counter of the day
-- ARGV  1 number  2 seconds for which the day's counter is kept
redis.call('INCRBY', KEYS[1], ARGV[1])
redis.call('INCRBY', KEYS[2], ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return 1
