#!lua flags=allow-oom
-- Moves arrivals that nobody claimed back to the head of their queue, which wakes whoever is parked.
--
-- KEYS  1 arrivals  2 queue
-- ARGV  1 most jobs  2 most bytes (one job is moved whatever its size); without them all are moved
-- Returns the number of arrivals that are left.
local left, budget = tonumber(ARGV[1] or math.huge), tonumber(ARGV[2] or math.huge)
while left > 0 and budget > 0 do
  local payload = redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT')
  if not payload then
    return 0
  end
  left, budget = left - 1, budget - #payload
end
return redis.call('LLEN', KEYS[1])
