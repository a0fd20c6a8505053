#!lua flags=allow-oom
-- Gives up a claim whose reply never came: what it took goes back to the head of the queue, a suspect
-- to where it is the next to run alone. A claim that Redis runs only afterwards takes nothing.
--
-- KEYS  1 in-flight hash  2 queue  3 suspects  4 crashes alone  5 leases
-- ARGV  1 first token of the claim  2 first token after it  3 seconds for which crashes are remembered
--       4 owner
-- Returns the number of jobs put back, oldest next to run.
-- include crash_id.lua
-- include whole.lua
-- A key of a wrong type, or a user who may not do this, ends the script here, before it has moved anything.
redis.call('HDEL', KEYS[1], '')
redis.call('LLEN', KEYS[2])
redis.call('LLEN', KEYS[3])
redis.call('HLEN', KEYS[4])
local is_leased = redis.call('ZSCORE', KEYS[5], ARGV[4])
local first, floor = tonumber(ARGV[1]), tonumber(ARGV[2])
local solo, crashes = string.match(redis.call('HGET', KEYS[1], 'solo') or '', '^(%d+) (%d+)$')
local fields, found, back = {}, {}, {}
for token = floor - 1, first, -1 do
  fields[#fields + 1] = string.format('%.0f', token)
end
-- The payloads of a claim are bounded in bytes, so all of them are read at once.
local payloads = redis.call('HMGET', KEYS[1], unpack(fields))
for i = 1, #fields do
  local payload = payloads[i]
  if payload and fields[i] == solo then
    if crashes ~= '0' then
      redis.call('HSET', KEYS[4], crash_id(payload), crashes)
      redis.call('EXPIRE', KEYS[4], ARGV[3])
    end
    redis.call('RPUSH', KEYS[3], payload)
    redis.call('HDEL', KEYS[1], fields[i], 'solo')
    found[#found + 1] = fields[i]
  elseif payload then
    found[#found + 1] = fields[i]
    back[#back + 1] = payload
  end
end
if #back > 0 then
  redis.call('RPUSH', KEYS[2], unpack(back))
  redis.call('HDEL', KEYS[1], unpack(found))
end
-- Without a lease a claim takes nothing anyway, and what it leaves here nobody would ever remove.
if not is_leased then
  return #found
end
-- Two capsules that share a queue claim under one owner; the newer claim may be given up first.
if floor > whole(redis.call('HGET', KEYS[1], 'floor')) then
  redis.call('HSET', KEYS[1], 'floor', ARGV[2])
end
return #found
