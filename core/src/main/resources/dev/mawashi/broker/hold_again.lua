#!lua flags=allow-oom
-- Puts jobs that an owner still holds back into its in-flight store, from which a Redis that went back
-- in time has lost them. One that is at the head of its queue again, as before it was claimed, leaves
-- it, or it would run twice.
--
-- KEYS  1 in-flight hash  2 queue  3 leases
-- ARGV  1 owner  2 how far to look into the queue, then for each job: token, payload
-- Returns the number of jobs put back; none without a lease.
local time = redis.call('TIME')
local lapses = redis.call('ZSCORE', KEYS[3], ARGV[1])
if not lapses or tonumber(lapses) < time[1] * 1000 + math.floor(time[2] / 1000) then
  return 0
end
-- The mirror for Resque exchanges only what stands in single quotes.
local rank = 'RIGHT' == "RIGHT" and -1 or 1
local back = 0
for i = 3, #ARGV, 2 do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 0 then
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
    if redis.pcall('LPOS', KEYS[2], ARGV[i + 1], 'RANK', rank, 'MAXLEN', ARGV[2]) then
      redis.pcall('LREM', KEYS[2], rank, ARGV[i + 1])
    end
    back = back + 1
  end
end
return back
