#!lua flags=allow-oom
-- Makes a step towards the end of an owner's lease on a queue: gives back some of what it had claimed,
-- so that in the end the oldest is the next to run. From the first step on an owner that crashed claims
-- nothing, and its renewals find it fenced; late settlements of what was given back find nothing.
--
-- KEYS  1 leases  2 in-flight hash  3 queue  4 crashes  5 suspects  6 crashes alone
--       7 recovered owners  8 notes made by this recovery  9 arrivals
-- ARGV  1 owner  2 'lapsed' (only if its lease has lapsed: it crashed) or 'release' (its own wish)
--       3 seconds for which crashes are remembered  4 most jobs that are named
--       5 most bytes of a job that is named  6 seconds for which recovered owners are remembered
--       7 most bytes of a step (one job is given back whatever its size)
--       8 most suspects that a step gives back  then tokens, newest first
-- Returns nothing when the lease is still good, else { 1 when all is given back and the lease ended,
-- tokens gone through, jobs given back, of these suspects, payloads of the suspects, of the others };
-- payloads only as far as they are to be named.
-- Promise: whoever makes the next step carries on, should this one be the caller's last. The lease
-- stays, as one that has lapsed, until nothing is left, and a job is in flight until it is given back.
--
-- A job goes to the head of the queue. One that ran alone, or was in hand at a crash before, goes to
-- the suspects, to be run alone. The queue has no place for a job's crashes, so for one that goes there
-- a crash is noted under the SHA-1 of its bytes: one note for each job, which the next crash with these
-- bytes in hand uses up. A note that this recovery made counts for none of the job's twins, also in a
-- later step, so the recovery keeps count of its notes.
--
-- When the last owner releases, the suspects go to the queue too, so that no job is left behind.
-- include crash_id.lua
-- include need.lua
-- include whole.lua
local leases, inflight, queue, crashes, suspects, alone, recovered, noted, arrivals = unpack(KEYS)
local owner, crashed = ARGV[1], ARGV[2] == 'lapsed'
local named_max, bytes_max = tonumber(ARGV[4]), tonumber(ARGV[5])
local budget, first_token = tonumber(ARGV[7]), 9
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local lapses = redis.call('ZSCORE', leases, owner)
if crashed and lapses and tonumber(lapses) >= now_ms then
  return false
end

-- A key of a wrong type, or a user who may not do this, ends the script here, before it has moved anything.
redis.call('LLEN', queue)
redis.call('LLEN', suspects)
redis.call('HLEN', crashes)
redis.call('HLEN', alone)
redis.call('LLEN', arrivals)
redis.call('HDEL', inflight, '')
redis.call('EXPIRE', noted, ARGV[3])
redis.call('HLEN', noted)
for _, key in ipairs({ crashes, alone, noted }) do
  need('HSET', key, '', '')
  need('HDEL', key, '')
  need('EXPIRE', key, 1)
end
need('HSET', inflight, '', '')
need('RPUSH', queue, '')
need('RPUSH', suspects, '')

-- The score says that the lease will not be good again. A releasing owner has no need of that, and is
-- not to be taken for one that crashed.
if crashed and lapses then
  redis.call('ZADD', leases, 'XX', -1, owner)
end

-- What arrived for the owner is the newest that it had, and may have been running. Its tokens, the
-- microseconds of the clock, are above all that a process gives out.
for i = 1, 250 do
  local payload = redis.call('RPOP', arrivals)
  if not payload then
    break
  end
  local token = string.format('%.0f', time[1] * 1000000 + time[2] + i)
  redis.call('HSET', inflight, token, payload)
end

-- The next of the tokens that fit into the step.
local function next_tokens()
  local tokens = {}
  for i = first_token, #ARGV do
    local size = redis.call('HSTRLEN', inflight, ARGV[i])
    if size > budget and #tokens > 0 then
      break
    end
    budget = budget - size
    tokens[#tokens + 1] = ARGV[i]
  end
  return tokens
end

-- How many crashes were noted for each of these, by all recoveries and by this one.
local function read_notes(ids)
  local all, own = {}, {}
  local all_now, own_now = redis.call('HMGET', crashes, unpack(ids)), redis.call('HMGET', noted, unpack(ids))
  for i = 1, #ids do
    all[ids[i]], own[ids[i]] = whole(all_now[i]), whole(own_now[i])
  end
  return all, own
end

local function write_notes(key, notes)
  local kept = {}
  for id, count in pairs(notes) do
    if count > 0 then
      kept[#kept + 1] = id
      kept[#kept + 1] = count
    else
      redis.call('HDEL', key, id)
    end
  end
  if #kept > 0 then
    redis.call('HSET', key, unpack(kept))
  end
end

-- Returns which of these jobs are suspects from now on, and a function that notes their crashes.
local function blame(tokens, payloads)
  local solo, alone_before = string.match(redis.call('HGET', inflight, 'solo') or '', '^(%d+) (%d+)$')
  local ids, solo_id = {}, nil
  for i = 1, #payloads do
    ids[i] = crash_id(payloads[i])
  end
  local all, own = read_notes(ids)
  local suspected = {}
  for i = 1, #payloads do
    local id = ids[i]
    if tokens[i] == solo then
      solo_id = id
      suspected[i] = true
    elseif all[id] > own[id] then
      all[id] = all[id] - 1
      suspected[i] = true
    else
      all[id], own[id] = all[id] + 1, own[id] + 1
    end
  end
  return suspected, function()
    if solo_id then
      redis.call('HSET', alone, solo_id, alone_before + 1)
      redis.call('EXPIRE', alone, ARGV[3])
    end
    write_notes(crashes, all)
    write_notes(noted, own)
    redis.call('EXPIRE', noted, ARGV[3])
  end
end

local tokens = next_tokens()
local found, payloads = {}, {}
if #tokens > 0 then
  local values = redis.call('HMGET', inflight, unpack(tokens))
  for i = 1, #tokens do
    if values[i] then
      found[#found + 1] = tokens[i]
      payloads[#payloads + 1] = values[i]
    end
  end
end
local suspected, others, named, named_others = {}, {}, {}, {}
if #found > 0 then
  local is_suspect, note = {}, nil
  if crashed then
    is_suspect, note = blame(found, payloads)
  end
  for i = 1, #found do
    local place, names = others, named_others
    if is_suspect[i] then
      place, names = suspected, named
    end
    place[#place + 1] = payloads[i]
    if crashed and #names < named_max and #payloads[i] <= bytes_max then
      names[#names + 1] = payloads[i]
    end
  end
  if #suspected > 0 then
    redis.call('RPUSH', suspects, unpack(suspected))
  end
  if #others > 0 then
    redis.call('RPUSH', queue, unpack(others))
  end
  if note then
    note()
  end
  redis.call('HDEL', inflight, unpack(found))
end

-- Whether no suspect is left that the last owner has to give back.
local function release_suspects()
  if crashed or redis.call('ZCARD', leases) > (lapses and 1 or 0) then
    return true
  end
  local left = tonumber(ARGV[8])
  while budget > 0 and left > 0 do
    local payload = redis.call('LMOVE', suspects, queue, 'LEFT', 'RIGHT')
    if not payload then
      redis.call('DEL', alone)
      return true
    end
    local id = crash_id(payload)
    redis.call('HSET', crashes, id, whole(redis.call('HGET', crashes, id)) + 1)
    budget, left = budget - #payload, left - 1
  end
  return false
end

local fields = redis.call('HEXISTS', inflight, 'floor') + redis.call('HEXISTS', inflight, 'solo')
local is_finished = redis.call('HLEN', inflight) == fields and redis.call('LLEN', arrivals) == 0 and release_suspects()
if is_finished then
  redis.call('UNLINK', inflight, noted)
  if redis.call('ZREM', leases, owner) == 1 and crashed then
    -- Should the owner live on, this separates it from a Redis that has lost the lease.
    redis.pcall('ZREMRANGEBYSCORE', recovered, '-inf', now_ms - ARGV[6] * 1000)
    redis.pcall('ZADD', recovered, string.format('%.0f', now_ms), owner)
    redis.pcall('EXPIRE', recovered, ARGV[6])
  end
end
-- From the first note on: where processes crash each day, it would never come to an end otherwise.
redis.call('EXPIRE', crashes, ARGV[3], 'NX')
return { is_finished and 1 or 0, #tokens, #found, #suspected, named, named_others }
