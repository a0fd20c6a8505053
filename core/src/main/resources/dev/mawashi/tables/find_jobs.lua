#!lua flags=no-writes
-- Looks for jobs in a part of a queue: some 2,000 entries or 1 MB.
--
-- KEYS  1 queue
-- ARGV  1 1 to go from left to right, -1 from right to left  2 how many entries to pass over first
--       then for each job its bytes
-- Returns { length of the queue, number of the job that comes first or 0 when the part has none of them,
--           how many entries there are up to that job, or to the end of the part }.
local wanted = {}
local longest = 0
for i = 3, #ARGV do
  wanted[ARGV[i]] = i - 2
  longest = math.max(longest, #ARGV[i])
end
local size = redis.call('LLEN', KEYS[1])
local is_from_left, passed = ARGV[1] == '1', tonumber(ARGV[2])
local entries, bytes = 2000, 1000000
while passed < size and entries > 0 and bytes > 0 do
  local count = longest * 50 > bytes and 1 or math.min(50, size - passed)
  local first = is_from_left and passed or size - passed - count
  local some = redis.call('LRANGE', KEYS[1], first, first + count - 1)
  for i = 1, count do
    local k = is_from_left and i or count + 1 - i
    if wanted[some[k]] then
      return { size, wanted[some[k]], passed + i }
    end
    bytes, longest = bytes - #some[k], math.max(longest, #some[k])
  end
  entries, passed = entries - count, passed + count
end
return { size, 0, passed }
