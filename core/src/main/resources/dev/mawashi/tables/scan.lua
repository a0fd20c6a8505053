#!lua flags=no-writes
-- Takes a step of a scan through a sorted set or a hash, unless it would be too large.
--
-- KEYS  1 sorted set or hash
-- ARGV  1 'set' or 'hash'  2 cursor  3 how many entries to look at  4 most bytes  5 pattern, if any
-- Returns what the command does; nothing when that is too large, unless it is to look at one entry: then
--           the step is to be taken again with fewer.
local words = { KEYS[1], ARGV[2], 'COUNT', ARGV[3] }
if ARGV[5] then
  words[5], words[6] = 'MATCH', ARGV[5]
end
local reply
if ARGV[1] == 'set' then
  reply = redis.call('ZSCAN', unpack(words))
else
  reply = redis.call('HSCAN', unpack(words))
end
local bytes = 0
for _, text in ipairs(reply[2]) do
  bytes = bytes + #text
end
if bytes > tonumber(ARGV[4]) and ARGV[3] ~= '1' then
  return {}
end
return reply
