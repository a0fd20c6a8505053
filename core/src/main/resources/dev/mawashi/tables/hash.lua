#!lua flags=no-writes
-- Reads a hash, but of large values nothing. It asks for their sizes first, so that Redis copies none.
--
-- KEYS  1 hash
-- ARGV  1 most bytes of a value  2 most bytes of all
-- Returns for each field the field and its value; in place of a large value how many bytes it has; and
--           behind them 1 when there is more than it may read.
local value_max, left = tonumber(ARGV[1]), tonumber(ARGV[2])
local read = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  local size = redis.call('HSTRLEN', KEYS[1], field)
  left = left - #field - (size <= value_max and size or 0)
  if left < 0 then
    read[#read + 1] = 1
    break
  end
  read[#read + 1] = field
  read[#read + 1] = size <= value_max and redis.call('HGET', KEYS[1], field) or size
end
return read
