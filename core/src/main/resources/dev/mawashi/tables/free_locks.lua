#!lua flags=allow-oom
-- Frees locks of jobs that are gone, or that begin and need them no more.
--
-- KEYS  1 lock, then the others
-- ARGV  for each lock its owner
-- Returns how many were freed; one that others hold by now stays, and so does what is no lock.
-- include /dev/mawashi/broker/free.lua
-- include /dev/mawashi/broker/need.lua
for _, lock in ipairs(KEYS) do
  need('GET', lock)
  need('DEL', lock)
end
local freed = 0
for i, lock in ipairs(KEYS) do
  freed = freed + free(lock, ARGV[i])
end
return freed
