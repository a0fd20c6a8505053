#!lua flags=allow-oom
-- Ends an owner's lease on a queue and puts all it had claimed back to the head of the queue, oldest
-- next to run. From then on the owner's late settles find nothing.
--
-- KEYS  1 leases  2 in-flight hash  3 queue
-- ARGV  1 owner  2 'lapsed' (only if its lease has lapsed) or 'release' (its own wish)
-- Returns the number of jobs put back, or -1 when the lease is still good.
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local lapses = redis.call('ZSCORE', KEYS[1], ARGV[1])
if ARGV[2] == 'lapsed' and lapses and tonumber(lapses) >= now_ms then
  return -1
end
local tokens = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
  if field ~= 'floor' then
    tokens[#tokens + 1] = field
  end
end
table.sort(tokens, function(a, b) return tonumber(a) > tonumber(b) end)
for _, token in ipairs(tokens) do
  redis.call('RPUSH', KEYS[3], redis.call('HGET', KEYS[2], token))
end
redis.call('DEL', KEYS[2])
redis.call('ZREM', KEYS[1], ARGV[1])
return #tokens
