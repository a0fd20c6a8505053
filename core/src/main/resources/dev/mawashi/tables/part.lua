#!lua flags=no-writes
-- Reads a part of a list: as many entries as fit, one at least whatever its size.
--
-- KEYS  1 list
-- ARGV  1 'left' or 'right': the end at which the list begins  2 how many entries to pass over first
--       3 most entries  4 most bytes
-- Returns the entries, from that end on.
-- include /dev/mawashi/broker/read_some.lua
local function read(first, count)
  first = first + tonumber(ARGV[2])
  if ARGV[1] == 'left' then
    return redis.call('LRANGE', KEYS[1], first, first + count - 1)
  end
  local some, turned = redis.call('LRANGE', KEYS[1], -first - count, -first - 1), {}
  for i = #some, 1, -1 do
    turned[#turned + 1] = some[i]
  end
  return turned
end
return read_some(read, tonumber(ARGV[3]), tonumber(ARGV[4]))
