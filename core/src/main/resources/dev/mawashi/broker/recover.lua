#!lua flags=allow-oom
-- Ends an owner's lease on a queue and gives back all it had claimed, oldest next to run. From then
-- on the owner's late settles find nothing.
--
-- KEYS  1 leases  2 in-flight hash  3 queue  4 crashes  5 suspects
-- ARGV  1 owner  2 'lapsed' (only if its lease has lapsed: it crashed) or 'release' (its own wish)
--       3 crashes after which a job is a suspect  4 seconds for which crashes are remembered
-- Returns the number of jobs given back, or -1 when the lease is still good.
--
-- A job goes to the head of the queue; one that was in hand at as many crashes as ARGV[3] goes to
-- the suspects, which run alone. When the last owner releases, the suspects go to the queue too, so
-- that nothing of ours is left behind. A job is known by the SHA-1 of its bytes; the field with '!'
-- counts the crashes while it ran alone.
local leases, inflight, queue, crashes, suspects = unpack(KEYS)
local owner, crashed = ARGV[1], ARGV[2] == 'lapsed'
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local lapses = redis.call('ZSCORE', leases, owner)
if crashed and lapses and tonumber(lapses) >= now_ms then
  return -1
end

local function place(token, payload)
  if not crashed then
    return queue
  end
  local id = redis.sha1hex(payload)
  if redis.call('HGET', inflight, 'solo') == token then
    redis.call('HINCRBY', crashes, id .. '!', 1)
  end
  local count = redis.call('HINCRBY', crashes, id, 1)
  redis.call('EXPIRE', crashes, ARGV[4])
  return count < tonumber(ARGV[3]) and queue or suspects
end

local tokens = {}
for _, field in ipairs(redis.call('HKEYS', inflight)) do
  if tonumber(field) then
    tokens[#tokens + 1] = field
  end
end
table.sort(tokens, function(a, b) return tonumber(a) > tonumber(b) end)
for _, token in ipairs(tokens) do
  local payload = redis.call('HGET', inflight, token)
  redis.call('RPUSH', place(token, payload), payload)
end
redis.call('DEL', inflight)
redis.call('ZREM', leases, owner)
if not crashed and redis.call('ZCARD', leases) == 0 then
  while redis.call('LMOVE', suspects, queue, 'LEFT', 'RIGHT') do end
end
return #tokens
