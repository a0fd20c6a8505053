#!lua flags=allow-oom
-- Moves a job that arrived for a parked process, and runs there already, into the owner's in-flight
-- store.
--
-- KEYS  1 arrivals  2 in-flight hash  3 leases
-- ARGV  1 owner  2 token  3 payload
-- Returns 1 when the job is in flight under this token, also from an earlier call; 0 when it is not among
-- the arrivals or there is no lease: others have recovered it.
local time = redis.call('TIME')
local lapses = redis.call('ZSCORE', KEYS[3], ARGV[1])
if not lapses or tonumber(lapses) < time[1] * 1000 + math.floor(time[2] / 1000) then
  return 0
end
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1 then
  return 1
end
-- Others are there only after a reply that was lost, or where two capsules park.
local found, others = 0, {}
for i = 1, redis.call('LLEN', KEYS[1]) do
  local payload = redis.call('RPOP', KEYS[1])
  if payload == ARGV[3] then
    found = redis.call('HSET', KEYS[2], ARGV[2], payload)
    break
  end
  others[i] = payload
end
for i = #others, 1, -1 do
  redis.call('RPUSH', KEYS[1], others[i])
end
return found
