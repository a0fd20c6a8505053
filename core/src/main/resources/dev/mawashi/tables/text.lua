#!lua flags=no-writes
-- Reads a string, but of a large one nothing.
--
-- KEYS  1 string
-- ARGV  1 most bytes
-- Returns the string, or how many bytes a large one has; nil for none.
local text = redis.call('GET', KEYS[1])
return text and #text > tonumber(ARGV[1]) and #text or text
