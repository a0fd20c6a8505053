#!lua flags=allow-oom
-- Frees a lock of the gem sidekiq-unique-jobs, if one of these jobs holds it still.
--
-- KEYS  1 jids that hold it  2 the digest's key  3 queued  4 primed  5 facts  6 digests  7 digests that expire
-- ARGV  1 the digest  2 ... jids
-- Returns how many of these held it. A lock that others hold too, or by now, stays theirs.
-- include /dev/mawashi/broker/need.lua
need('HDEL', KEYS[1], '')
need('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
need('ZREM', KEYS[6], '')
need('ZREM', KEYS[7], '')
need('HLEN', KEYS[1])
redis.call('HLEN', KEYS[1])
redis.call('ZCARD', KEYS[6])
redis.call('ZCARD', KEYS[7])
local freed = 0
for i = 2, #ARGV do
  freed = freed + redis.call('HDEL', KEYS[1], ARGV[i])
end
if freed > 0 and redis.call('HLEN', KEYS[1]) == 0 then
  redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
  redis.call('ZREM', KEYS[6], ARGV[1])
  redis.call('ZREM', KEYS[7], ARGV[1])
end
return freed
