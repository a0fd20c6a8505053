#!lua flags=no-writes
-- Reads the entry at the right end of a list, but of a large one only its end.
--
-- KEYS  1 list
-- ARGV  1 most bytes of an entry that is read whole  2 how many bytes of a larger one are read
-- Returns the bytes; of a larger one { how many it has, its end }; nil for an empty list.
local entry = redis.call('LINDEX', KEYS[1], -1)
if entry and #entry > tonumber(ARGV[1]) then
  return { #entry, string.sub(entry, -tonumber(ARGV[2])) }
end
return entry
