#!lua flags=allow-oom
-- Puts claimed jobs back to the head of their queue.
--
-- KEYS  1 in-flight hash  2 queue
-- ARGV  tokens, newest first, so that the oldest is the next to run
-- Returns the number of jobs put back; a token that is gone was settled or recovered and is skipped.
-- Three commands, however many jobs. The queue comes first, so that one that is no list leaves the
-- jobs where they were.
-- include need.lua
local back = {}
for _, payload in ipairs(redis.call('HMGET', KEYS[1], unpack(ARGV))) do
  if payload then
    back[#back + 1] = payload
  end
end
if #back > 0 then
  -- A user who may not do this would leave the jobs in both places.
  need('HDEL', KEYS[1], '')
  redis.call('RPUSH', KEYS[2], unpack(back))
  redis.call('HDEL', KEYS[1], unpack(ARGV))
end
return #back
