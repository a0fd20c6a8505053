#!lua flags=allow-oom
-- Removes entries of a sorted set of jobs, and keeps the first of them for a while, so that the act can
-- be undone.
--
-- KEYS  1 set  2 sorted set of what is kept
-- ARGV  1 seconds that it is kept  2 how many of the entries are to be kept, then the entries
-- Returns the number removed; an entry that is no longer there was taken by someone else.
-- include /dev/mawashi/broker/can_add.lua
local entries = {}
for i = 3, #ARGV do
  entries[#entries + 1] = ARGV[i]
end
local scores = redis.call('ZMSCORE', KEYS[1], unpack(entries))
local kept = {}
for i = 1, math.min(tonumber(ARGV[2]), #entries) do
  if scores[i] then
    kept[#kept + 1] = scores[i]
    kept[#kept + 1] = entries[i]
  end
end
-- What may be refused is looked at first, so that it leaves the set as it was.
can_add(KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[1])
local gone = redis.call('ZREM', KEYS[1], unpack(entries))
if #kept > 0 then
  redis.call('ZADD', KEYS[2], unpack(kept))
  redis.call('EXPIRE', KEYS[2], ARGV[1])
end
return gone
