#!lua flags=allow-oom
-- Opens or renews an owner's lease on queues, by Redis's clock.
--
-- KEYS  1 served queues, then each queue's leases
-- ARGV  1 owner  2 milliseconds from now  3 'open' or 'renew', then the queues
-- Returns 1, or 0 when a lease to be renewed is gone: its owner was recovered and is fenced. A key of a
-- wrong type is told, and holds up no other queue's lease.
local owner, is_open = ARGV[1], ARGV[3] == 'open'
local time = redis.call('TIME')
local lapses = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[2]))
local reply, refusal = 1, nil
redis.call('SADD', KEYS[1], unpack(ARGV, 4))
for i = 2, #KEYS do
  local leases, changed = KEYS[i], nil
  if is_open then
    changed = redis.pcall('ZADD', leases, lapses, owner)
  else
    changed = redis.pcall('ZADD', leases, 'XX', 'CH', lapses, owner)
    -- Twice within a millisecond changes nothing.
    if changed == 0 and not redis.call('ZSCORE', leases, owner) then
      reply = 0
    end
  end
  if type(changed) == 'table' then
    refusal = changed
  end
end
return refusal or reply
