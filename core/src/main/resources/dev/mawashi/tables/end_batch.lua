#!lua flags=allow-oom
-- Ends a batch of a migration that is in the other Redis by now, and frees the locks that went with it.
--
-- KEYS  1 batch  2 locks
-- ARGV  1 head of the batch, then for each lock its digest and what it held
-- Returns 1, or 0 where the batch has ended before.
-- include /dev/mawashi/broker/need.lua
need('DEL', KEYS[1])
need('HDEL', KEYS[2], '')
redis.call('HGET', KEYS[2], '')
if redis.call('LINDEX', KEYS[1], 0) ~= ARGV[1] then
  return 0
end
for i = 2, #ARGV, 2 do
  if redis.call('HGET', KEYS[2], ARGV[i]) == ARGV[i + 1] then
    redis.call('HDEL', KEYS[2], ARGV[i])
  end
end
redis.call('DEL', KEYS[1])
return 1
