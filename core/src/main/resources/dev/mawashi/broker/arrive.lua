#!lua flags=allow-oom
-- Moves a job that arrived for a parked process, and runs there already, into the owner's in-flight
-- store. Where the owner's lease is gone or has lapsed it does so too: Redis has lost the lease, or the
-- owner was away for long, and no job is to run again for that. It leaves the job alone where others have
-- recovered the owner, or begun to.
--
-- KEYS  1 arrivals  2 in-flight hash  3 leases  4 recovered owners
-- ARGV  1 owner  2 token  3 payload
-- Returns 1 when the job is in flight under this token, also from an earlier call, else 0; and 2 more when
-- the owner has no good lease.
-- Promise: whatever Redis refuses, the job is in one place, and the other arrivals stay as they are.
-- include need.lua
local time = redis.call('TIME')
-- A key of a wrong type holds no lease.
local score = redis.pcall('ZSCORE', KEYS[3], ARGV[1])
local lapses = type(score) == 'string' and tonumber(score)
local doubt = (lapses and lapses >= time[1] * 1000 + math.floor(time[2] / 1000)) and 0 or 2
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1 then
  return 1 + doubt
end
local is_ended = not lapses and type(redis.pcall('ZSCORE', KEYS[4], ARGV[1])) == 'string'
if is_ended or (lapses and lapses < 0) then
  return doubt
end
-- What HEXISTS took is a hash, so that only this user's rights could refuse it.
need('HSET', KEYS[2], '', '')
if redis.call('LREM', KEYS[1], 1, ARGV[3]) == 0 then
  return doubt
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1 + doubt
