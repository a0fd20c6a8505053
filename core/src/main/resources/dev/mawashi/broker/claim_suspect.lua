#!lua flags=allow-oom
-- Claims one suspect, a job that was in hand at several crashes, to be run alone.
--
-- KEYS  1 suspects  2 in-flight hash  3 leases  4 crashes alone
-- ARGV  1 owner  2 token
-- Returns { payload, crashes while it ran alone }, or nothing when there is no suspect or no lease, or
-- when the token lies below the store's floor: the claim was given up by its sender.
-- The field 'solo' of the in-flight store says, should the owner die, that this job ran alone, and how
-- often its process had died before while it did.
-- include crash_id.lua
-- include need.lua
-- include whole.lua
local time = redis.call('TIME')
local lapses = redis.call('ZSCORE', KEYS[3], ARGV[1])
if not lapses or tonumber(lapses) < time[1] * 1000 + math.floor(time[2] / 1000) then
  return false
end
if tonumber(ARGV[2]) < whole(redis.call('HGET', KEYS[2], 'floor')) then
  return false
end
-- A key of a wrong type, or a user who may not do this, ends the script here, before it takes one.
redis.call('HDEL', KEYS[4], '')
need('HGET', KEYS[4], '')
need('HSET', KEYS[2], '', '')
local payload = redis.call('RPOP', KEYS[1])
if not payload then
  return false
end
local id = crash_id(payload)
local crashes = math.min(whole(redis.call('HGET', KEYS[4], id)), 1000000)
local solo = string.format('%s %d', ARGV[2], crashes)
redis.call('HSET', KEYS[2], ARGV[2], payload, 'solo', solo)
redis.call('HDEL', KEYS[4], id)
return { payload, crashes }
