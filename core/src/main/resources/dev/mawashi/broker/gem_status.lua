#!lua
-- Enables or disables a schedule of the gem sidekiq-cron, as its API does.
--
-- KEYS  1 the schedule
-- ARGV  1 status
-- Returns 1, or 0 when it has this status or is gone, which changes nothing.
-- include need.lua
local status = redis.call('HGET', KEYS[1], 'status')
if not status or status == ARGV[1] then
  return 0
end
need('HSET', KEYS[1], '', '')
redis.call('HSET', KEYS[1], 'status', ARGV[1])
return 1
