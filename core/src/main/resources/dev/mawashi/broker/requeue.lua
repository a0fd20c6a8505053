#!lua flags=allow-oom
-- Puts claimed jobs back to the head of their queue.
--
-- KEYS  1 in-flight hash  2 queue
-- ARGV  tokens, newest first, so that the oldest is the next to run
-- Returns the number of jobs put back; a token that is gone was settled or recovered and is skipped.
local back = 0
for _, token in ipairs(ARGV) do
  local payload = redis.call('HGET', KEYS[1], token)
  if payload then
    redis.call('RPUSH', KEYS[2], payload)
    redis.call('HDEL', KEYS[1], token)
    back = back + 1
  end
end
return back
