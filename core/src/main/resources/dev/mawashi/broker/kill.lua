#!lua flags=allow-oom
-- Moves entries from the schedule or retry set to the dead set, as they are, and trims that set as
-- Sidekiq does. It frees the locks of those that it moves.
--
-- KEYS  1 set  2 dead set  3 locks
-- ARGV  1 seconds a dead job is kept  2 most dead jobs, then for each entry: its bytes, its lock's digest or
--       '', the lock's owner
-- Returns { number moved, number of old entries trimmed }; an entry that is no longer there was taken
--           by someone else. The dead set is looked at first, so that a refusal leaves the entries where
--           they are.
-- include add_twin.lua
-- include can_add.lua
-- include free.lua
-- include trim.lua
local time = redis.call('TIME')
local now = string.format('%.6f', time[1] + time[2] / 1000000)
can_add(KEYS[2])
local moved = 0
for i = 3, #ARGV, 3 do
  if redis.call('ZREM', KEYS[1], ARGV[i]) == 1 then
    add_twin(KEYS[2], now, ARGV[i])
    free(KEYS[3], ARGV[i + 1], ARGV[i + 2])
    moved = moved + 1
  end
end
if moved == 0 then
  return { 0, 0 }
end
local is_done, trimmed = pcall(trim, KEYS[2], ARGV[1], ARGV[2], moved)
return { moved, is_done and trimmed or 0 }
