#!lua flags=allow-oom
-- Marks a job as cancelled, for whoever has it in hand or claims it next.
--
-- KEYS  1 sorted set of marks; the score is when, in seconds
-- ARGV  1 mark: the job's jid, or the run's id where jobs have none  2 most marks
--       3 seconds that a mark is kept
-- Returns nothing. Marks that nobody took out go after their time, and the oldest beyond the most.
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -tonumber(ARGV[2]) - 1)
redis.call('EXPIRE', KEYS[1], ARGV[3])
return false
