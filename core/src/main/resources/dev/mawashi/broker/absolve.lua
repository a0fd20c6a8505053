#!lua flags=allow-oom
-- Ends the suspicion against a job: it ran alone and its process lived, or it is not alone any more.
--
-- KEYS  1 in-flight hash  2 crashes
-- ARGV  1 SHA-1 of its payload, or '' to leave its crashes remembered
redis.call('HDEL', KEYS[1], 'solo')
if ARGV[1] ~= '' then
  redis.call('HDEL', KEYS[2], ARGV[1], ARGV[1] .. '!')
end
return 1
