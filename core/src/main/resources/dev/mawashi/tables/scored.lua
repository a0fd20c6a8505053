#!lua flags=no-writes
-- Reads a part of a sorted set: as many entries as fit, one at least whatever its size. Bounds are scores as ZCOUNT
-- takes them, and empty for none: entries that leave meanwhile shift ranks, and not them.
--
-- KEYS  1 sorted set
-- ARGV  1 'up' or 'down': in which order of scores  2 how many entries to pass over, from the place on
--       3 most entries  4 most bytes  5 bound before the place  6 bound before the first entry wanted
--       7 bound behind the last one
-- Returns the entries, each with its score behind it.
-- include /dev/mawashi/broker/read_some.lua
local is_down = ARGV[1] == 'down'
local function before(bound)
  if bound == '' then
    return 0
  end
  return is_down and redis.call('ZCOUNT', KEYS[1], bound, '+inf') or redis.call('ZCOUNT', KEYS[1], '-inf', bound)
end
local from = math.max(before(ARGV[5]) + tonumber(ARGV[2]), before(ARGV[6]))
local to = ARGV[7] == '' and redis.call('ZCOUNT', KEYS[1], '-inf', '+inf') or before(ARGV[7])
local most = math.min(tonumber(ARGV[3]), to - from)
local function read(first, count)
  first = first + from
  if is_down then
    return redis.call('ZRANGE', KEYS[1], first, first + count - 1, 'REV')
  end
  return redis.call('ZRANGE', KEYS[1], first, first + count - 1)
end
local scored = {}
for _, entry in ipairs(read_some(read, most, tonumber(ARGV[4]))) do
  scored[#scored + 1] = entry
  scored[#scored + 1] = redis.call('ZSCORE', KEYS[1], entry)
end
return scored
