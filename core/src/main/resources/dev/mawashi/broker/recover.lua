#!lua flags=allow-oom
-- Ends an owner's lease on a queue and gives back all it had claimed, oldest next to run. From then
-- on the owner's late settles find nothing.
--
-- KEYS  1 leases  2 in-flight hash  3 queue  4 crashes  5 suspects  6 crashes alone
--       7 recovered owners
-- ARGV  1 owner  2 'lapsed' (only if its lease has lapsed: it crashed) or 'release' (its own wish)
--       3 seconds for which crashes are remembered  4 most jobs that are named
--       5 most bytes of a job that is named  6 seconds for which recovered owners are remembered
-- Returns nothing when the lease is still good, else { jobs given back, of these suspects, payloads
-- of the suspects, of the others }; payloads only as far as they are to be named.
--
-- A job goes to the head of the queue. One that ran alone, or was in hand at a crash before, goes to
-- the suspects, to be run alone. The queue has no place for a job's crashes, so for one that goes
-- there a crash is noted under the SHA-1 of its bytes: one note for each job, which the next crash
-- with these bytes in hand uses up. What a job was given by this call counts for none of its twins.
--
-- When the last owner releases, the suspects go to the queue too, so that no job is left behind.
local leases, inflight, queue, crashes, suspects, alone, recovered = unpack(KEYS)
local owner, crashed = ARGV[1], ARGV[2] == 'lapsed'
local named_max, bytes_max = tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local lapses = redis.call('ZSCORE', leases, owner)
if crashed and lapses and tonumber(lapses) >= now_ms then
  return false
end

-- A key of a wrong type ends the script here, before it has moved anything.
redis.call('LLEN', queue)
redis.call('LLEN', suspects)
redis.call('HLEN', crashes)
redis.call('HLEN', alone)

local solo, alone_before = string.match(redis.call('HGET', inflight, 'solo') or '', '^(%d+) (%d+)$')
local before = {}

-- Whether a crash was noted for one of these jobs, and not by this call.
local function was_in_hand(id)
  before[id] = before[id] or tonumber(redis.call('HGET', crashes, id) or 0)
  if before[id] == 0 then
    return false
  end
  before[id] = before[id] - 1
  if redis.call('HINCRBY', crashes, id, -1) == 0 then
    redis.call('HDEL', crashes, id)
  end
  return true
end

local function is_suspect(token, payload)
  if not crashed then
    return false
  end
  local id = redis.sha1hex(payload)
  if token == solo then
    redis.call('HSET', alone, id, alone_before + 1)
    redis.call('EXPIRE', alone, ARGV[3])
    return true
  end
  if was_in_hand(id) then
    return true
  end
  redis.call('HINCRBY', crashes, id, 1)
  return false
end

local tokens = {}
for _, field in ipairs(redis.call('HKEYS', inflight)) do
  if tonumber(field) then
    tokens[#tokens + 1] = field
  end
end
table.sort(tokens, function(a, b) return tonumber(a) > tonumber(b) end)
local suspected, named, others = 0, {}, {}
for _, token in ipairs(tokens) do
  local payload = redis.call('HGET', inflight, token)
  local place, names = queue, others
  if is_suspect(token, payload) then
    place, names, suspected = suspects, named, suspected + 1
  end
  redis.call('RPUSH', place, payload)
  if crashed and #names < named_max and #payload <= bytes_max then
    names[#names + 1] = payload
  end
end
redis.call('DEL', inflight)
if redis.call('ZREM', leases, owner) == 1 and crashed then
  -- Should the owner live on, this tells it from a Redis that has lost the lease.
  redis.pcall('ZREMRANGEBYSCORE', recovered, '-inf', now_ms - ARGV[6] * 1000)
  redis.pcall('ZADD', recovered, string.format('%.0f', now_ms), owner)
  redis.pcall('EXPIRE', recovered, ARGV[6])
end
if not crashed and redis.call('ZCARD', leases) == 0 then
  local payload = redis.call('LMOVE', suspects, queue, 'LEFT', 'RIGHT')
  while payload do
    redis.call('HINCRBY', crashes, redis.sha1hex(payload), 1)
    payload = redis.call('LMOVE', suspects, queue, 'LEFT', 'RIGHT')
  end
  redis.call('DEL', alone)
end
-- From the first note on: where processes crash each day, it would never come to an end otherwise.
if redis.call('TTL', crashes) == -1 then
  redis.call('EXPIRE', crashes, ARGV[3])
end
return { #tokens, suspected, named, others }
