#!lua flags=no-writes
-- Reads a part of a sorted set: as many entries as fit, one at least whatever its size.
--
-- KEYS  1 sorted set
-- ARGV  1 'up' or 'down': in which order of scores  2 how many entries to pass over first  3 most entries
--       4 most bytes  5 optional, with 'up': the score that they have
-- Returns the entries, each with its score behind it.
-- include /dev/mawashi/broker/read_some.lua
local function read(first, count)
  first = first + tonumber(ARGV[2])
  if ARGV[1] == 'down' then
    return redis.call('ZRANGE', KEYS[1], first, first + count - 1, 'REV')
  end
  if ARGV[5] then
    return redis.call('ZRANGE', KEYS[1], ARGV[5], ARGV[5], 'BYSCORE', 'LIMIT', first, count)
  end
  return redis.call('ZRANGE', KEYS[1], first, first + count - 1)
end
local scored = {}
for _, entry in ipairs(read_some(read, tonumber(ARGV[3]), tonumber(ARGV[4]))) do
  scored[#scored + 1] = entry
  scored[#scored + 1] = redis.call('ZSCORE', KEYS[1], entry)
end
return scored
