#!lua
-- Adds what a runner of a process has run by class to Sidekiq's metrics, and to our counts by runner
-- beside them, unless this batch or a later one was added.
-- Without allow-oom: a full Redis shall keep jobs, not figures.
--
-- KEYS  1 number of the process's last batch
--       then the hashes with counts of all classes, those with runs by runner, one histogram a class
-- ARGV  1 number of this batch  2 seconds for which that is remembered
--       3 seconds for which a histogram is kept  4 the runner
--       5 how many hashes with counts  6 how many by runner
--       then for each hash the seconds for which it is kept, and for each class: name, runs, failed
--       runs, milliseconds, how many buckets, and of each of these index and runs
-- Returns 1 if it was added, or the first refusal: a count that is no number and a key of a wrong type
-- keep back nothing else. The number of the batch is written first, so that nothing is added twice.
-- include /dev/mawashi/broker/whole.lua
if whole(redis.call('GET', KEYS[1])) >= tonumber(ARGV[1]) then
  return 0
end
local refusal = nil
local function note(reply)
  if type(reply) == 'table' and reply.err then
    refusal = refusal or reply
  end
end

redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
local runner = ARGV[4]
local counts = tonumber(ARGV[5])
local hashes = counts + tonumber(ARGV[6])
local at = 7 + hashes
for k = 2 + hashes, #KEYS do
  local name, runs, failed, millis = unpack(ARGV, at, at + 3)
  local filled = tonumber(ARGV[at + 4])
  at = at + 5
  if filled > 0 then
    local bits = {KEYS[k], 'OVERFLOW', 'SAT'}
    for i = at, at + 2 * filled - 2, 2 do
      bits[#bits + 1] = 'INCRBY'
      bits[#bits + 1] = 'u16'
      bits[#bits + 1] = '#' .. ARGV[i]
      bits[#bits + 1] = ARGV[i + 1]
    end
    note(redis.pcall('BITFIELD', unpack(bits)))
    redis.call('EXPIRE', KEYS[k], ARGV[3])
    at = at + 2 * filled
  end
  for h = 2, 1 + counts do
    if filled > 0 then
      note(redis.pcall('HINCRBY', KEYS[h], name .. '|ms', millis))
    end
    if failed ~= '0' then
      note(redis.pcall('HINCRBY', KEYS[h], name .. '|f', failed))
    end
    note(redis.pcall('HINCRBY', KEYS[h], name .. '|p', runs))
  end
  for h = 2 + counts, 1 + hashes do
    note(redis.pcall('HINCRBY', KEYS[h], name .. '|' .. runner, runs))
  end
end
for h = 1, hashes do
  redis.call('EXPIRE', KEYS[1 + h], ARGV[6 + h])
end
return refusal or 1
