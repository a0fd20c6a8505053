#!lua flags=allow-oom
-- Moves arrivals that nobody claimed back to the head of their queue, which wakes whoever is parked.
--
-- KEYS  1 arrivals  2 queue
-- Returns the number of jobs moved.
local moved = 0
while redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT') do
  moved = moved + 1
end
return moved
