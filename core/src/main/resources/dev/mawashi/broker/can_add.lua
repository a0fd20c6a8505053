-- Ends the script, as long as it has moved nothing, when entries may not be added to a sorted set: the
-- key is of a wrong type, or the user may not do this. It changes nothing.
local function can_add(set)
  redis.call('ZADD', set, 'XX', 'GT', '-inf', '')
end
