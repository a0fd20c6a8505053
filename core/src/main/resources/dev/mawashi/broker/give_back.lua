#!lua flags=allow-oom
-- Moves arrivals that nobody claimed back to the head of their queue, which wakes whoever is parked.
--
-- KEYS  1 arrivals  2 queue  3 in-flight hash  4 leases
-- ARGV  1 most jobs  2 most bytes (one job is moved whatever its size)  3 owner  4 a token not given out yet
--       5 'fence' after a call whose reply was lost
-- For arrivals that are no one owner's there are only the first two of each; without limits all are moved.
-- Returns the number of arrivals that are left; -1 when the token lies below the store's floor: this call
-- was given up by its sender, or a claim was since it was sent.
-- Promise: a call that was given up and that Redis runs late, behind one with 'fence', moves nothing. The
-- arrivals may hold a job by then that runs.
-- include whole.lua
if KEYS[3] then
  local floor = redis.pcall('HGET', KEYS[3], 'floor')
  if type(floor) == 'string' and whole(floor) > tonumber(ARGV[4]) then
    return -1
  end
  -- Without a lease it would stay there for ever.
  if ARGV[5] == 'fence' and type(redis.pcall('ZSCORE', KEYS[4], ARGV[3])) == 'string' then
    redis.call('HSET', KEYS[3], 'floor', ARGV[4])
  end
end
local left, budget = tonumber(ARGV[1] or math.huge), tonumber(ARGV[2] or math.huge)
while left > 0 and budget > 0 do
  local payload = redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT')
  if not payload then
    return 0
  end
  left, budget = left - 1, budget - #payload
end
return redis.call('LLEN', KEYS[1])
