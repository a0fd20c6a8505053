#!lua flags=allow-oom
-- Frees locks of jobs that are gone, that begin and need them no more, or whose locks an operator frees.
--
-- KEYS  1 locks
-- ARGV  for each lock its digest and its owner
-- Returns how many were freed; one that others hold by now stays, and so does what is no lock.
-- include /dev/mawashi/broker/free.lua
-- include /dev/mawashi/broker/need.lua
need('HGET', KEYS[1], '')
need('HDEL', KEYS[1], '')
local freed = 0
for i = 1, #ARGV, 2 do
  freed = freed + free(KEYS[1], ARGV[i], ARGV[i + 1])
end
return freed
