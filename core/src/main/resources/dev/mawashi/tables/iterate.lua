#!lua flags=allow-oom
-- Notes how far an iterable job has come, or when it was cancelled, and returns whether it was cancelled.
--
-- KEYS  1 the job's state, a hash
-- ARGV  1 seconds to live from the first note on, then field, value, field, value...
-- Returns the time at which the job was cancelled, or nothing.
-- Promise: the first cancellation counts.
local state = KEYS[1]
for i = 2, #ARGV, 2 do
  local set = ARGV[i] == 'cancelled' and 'HSETNX' or 'HSET'
  redis.call(set, state, ARGV[i], ARGV[i + 1])
end
redis.call('EXPIRE', state, ARGV[1], 'NX')
return redis.call('HGET', state, 'cancelled')
