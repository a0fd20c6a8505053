#!lua flags=allow-oom
-- Removes entries of a sorted set of jobs with their locks, and keeps the first of them for a while, so that
-- the act can be undone.
--
-- KEYS  1 set  2 locks  3 sorted set of what is kept, if anything is
-- ARGV  1 seconds that it is kept  2 how many of the entries are to be kept, then for each entry: its bytes,
--       its lock's digest or '', the lock's owner
-- Returns the number removed; an entry that is no longer there was taken by someone else, with its lock.
-- include /dev/mawashi/broker/can_add.lua
-- include /dev/mawashi/broker/free.lua
local entries = {}
for i = 3, #ARGV, 3 do
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
if KEYS[3] then
  can_add(KEYS[3])
  redis.call('EXPIRE', KEYS[3], ARGV[1])
end
local gone = redis.call('ZREM', KEYS[1], unpack(entries))
if #kept > 0 then
  redis.call('ZADD', KEYS[3], unpack(kept))
  redis.call('EXPIRE', KEYS[3], ARGV[1])
end
for i = 1, #entries do
  if scores[i] then
    free(KEYS[2], ARGV[3 * i + 1], ARGV[3 * i + 2])
  end
end
return gone
