#!lua flags=allow-oom
-- Moves due jobs from the schedule or retry set to the back of one queue.
--
-- KEYS  1 set  2 queues  3 queue
-- ARGV  1 queue name, then for each job: its bytes in the set, its bytes for the queue
-- Returns the number moved; an entry that is no longer there was taken by someone else.
-- Four commands, however many jobs: calling commands is most of what a script costs. What may be refused
-- comes before the set is changed, so that it leaves the set as it was.
-- include need.lua
local entries = {}
for i = 2, #ARGV, 2 do
  entries[#entries + 1] = ARGV[i]
end
local scores = redis.call('ZMSCORE', KEYS[1], unpack(entries))
local taken = {}
local pushed = {}
for i = 1, #entries do
  if scores[i] then
    taken[#taken + 1] = entries[i]
    pushed[#pushed + 1] = ARGV[2 * i + 1]
  end
end
if #taken > 0 then
  -- A user who may not do this would leave the jobs in both places.
  need('ZREM', KEYS[1], '')
  redis.call('SADD', KEYS[2], ARGV[1])
  redis.call('LPUSH', KEYS[3], unpack(pushed))
  redis.call('ZREM', KEYS[1], unpack(taken))
end
return #taken
