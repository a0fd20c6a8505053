#!lua flags=allow-oom
-- Removes a waiting job and keeps it for a while, so that the act can be undone.
--
-- KEYS  1 queue  2 list of what is kept
-- ARGV  1 seconds that it is kept  2 whether Redis looks from the newest ('1') or from the next to run
--       ('-1')  3 the job
-- Returns 1, or 0 when it was no longer there.
if redis.call('LREM', KEYS[1], ARGV[2], ARGV[3]) == 0 then
  return 0
end
if ARGV[2] == '1' then
  redis.call('RPUSH', KEYS[2], ARGV[3])
else
  redis.call('LPUSH', KEYS[2], ARGV[3])
end
redis.call('EXPIRE', KEYS[2], ARGV[1])
return 1
