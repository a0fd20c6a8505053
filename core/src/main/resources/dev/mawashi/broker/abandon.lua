#!lua flags=allow-oom
-- Gives up a claim whose reply never came: what it took goes back to the head of the queue, a suspect
-- to where it is the next to run alone, and should Redis run it only now, it takes nothing.
--
-- KEYS  1 in-flight hash  2 queue  3 suspects  4 crashes alone  5 leases
-- ARGV  1 first token of the claim  2 first token after it  3 seconds for which crashes are remembered
--       4 owner
-- Returns the number of jobs put back, oldest next to run.
local first, floor = tonumber(ARGV[1]), tonumber(ARGV[2])
local solo, crashes = string.match(redis.call('HGET', KEYS[1], 'solo') or '', '^(%d+) (%d+)$')
local back = 0
for token = floor - 1, first, -1 do
  local field = string.format('%.0f', token)
  local payload = redis.call('HGET', KEYS[1], field)
  if payload then
    if field == solo then
      if crashes ~= '0' then
        redis.call('HSET', KEYS[4], redis.sha1hex(payload), crashes)
        redis.call('EXPIRE', KEYS[4], ARGV[3])
      end
      redis.call('RPUSH', KEYS[3], payload)
      redis.call('HDEL', KEYS[1], field, 'solo')
    else
      redis.call('RPUSH', KEYS[2], payload)
      redis.call('HDEL', KEYS[1], field)
    end
    back = back + 1
  end
end
-- Without a lease a claim takes nothing anyway, and what it leaves here nobody would ever remove.
if not redis.call('ZSCORE', KEYS[5], ARGV[4]) then
  return back
end
-- Two capsules that share a queue claim under one owner; the newer claim may be given up first.
if floor > tonumber(redis.call('HGET', KEYS[1], 'floor') or 0) then
  redis.call('HSET', KEYS[1], 'floor', ARGV[2])
end
return back
