#!lua flags=allow-oom
-- Leaves the answer to a question for whoever asked. Carries allow-oom, as ask.lua does.
--
-- KEYS  1 list with the answer
-- ARGV  1 answer  2 seconds that it is kept
-- Returns nothing.
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return false
