#!lua flags=allow-oom
-- Adds a line to the record of changes, in place of another of its own if that is there still.
--
-- KEYS  1 list, the newest first
-- ARGV  1 line  2 the line that it stands for; '' for none  3 most lines  4 seconds that they are kept
-- Returns nothing.
-- include /dev/mawashi/broker/need.lua
need('LREM', KEYS[1], 1, '')
redis.call('LPUSH', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then
  redis.call('LREM', KEYS[1], 1, ARGV[2])
end
redis.call('LTRIM', KEYS[1], 0, ARGV[3] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[4])
return false
