#!lua flags=allow-oom
-- Puts jobs that an owner still holds back into its in-flight store, from which a Redis that went back
-- in time has lost them. One that is where it was before it was claimed leaves that place, or it would
-- run twice: the head of its queue, the arrivals, the suspects. Where it has other bytes, as before it was
-- retried, or another token, it is not found, and runs twice. One that runs alone is noted as such, as
-- its claim did: should the owner die, it is a suspect, and this crash is its own.
--
-- KEYS  1 in-flight hash  2 leases  3 queue  4 arrivals  5 suspects  6 crashes alone
-- ARGV  1 owner  2 how far to look into each, then for each job: token, payload, at how many crashes it
--       had run alone before ('' for one that does not run alone)
-- Returns the number of jobs put back; none without a lease.
-- include crash_id.lua
-- include need.lua
local time = redis.call('TIME')
local lapses = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not lapses or tonumber(lapses) < time[1] * 1000 + math.floor(time[2] / 1000) then
  return 0
end
-- The mirror for Resque exchanges only what stands in single quotes.
local rank = 'RIGHT' == "RIGHT" and -1 or 1
-- Which list has it: nothing, or a refusal, when none has. A key of a wrong type has no jobs.
local function find(payload)
  for place = 3, 5 do
    local found = redis.pcall('LPOS', KEYS[place], payload, 'RANK', rank, 'MAXLEN', ARGV[2])
    if type(found) == 'number' then
      return KEYS[place]
    elseif type(found) == 'table' and string.sub(found.err, 1, 9) ~= 'WRONGTYPE' then
      return nil, found
    end
  end
end

local back = 0
for i = 3, #ARGV, 3 do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 0 then
    local token, payload, crashes = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    local list, refusal = find(payload)
    if refusal then
      return refusal
    end
    if list then
      -- A user who may not do this would leave the job in both places.
      need('LREM', list, rank, payload)
    end
    if crashes == '' then
      redis.call('HSET', KEYS[1], token, payload)
    else
      redis.call('HSET', KEYS[1], token, payload, 'solo', token .. ' ' .. crashes)
    end
    if list then
      redis.call('LREM', list, rank, payload)
    end
    if crashes ~= '' then
      redis.pcall('HDEL', KEYS[6], crash_id(payload))
    end
    back = back + 1
  end
end
return back
