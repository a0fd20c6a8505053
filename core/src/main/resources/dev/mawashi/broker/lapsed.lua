#!lua flags=no-writes
-- Lists the owners whose lease on a queue has lapsed by Redis's clock.
--
-- KEYS  1 leases
-- Returns owners.
local time = redis.call('TIME')
local now_ms = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. now_ms)
