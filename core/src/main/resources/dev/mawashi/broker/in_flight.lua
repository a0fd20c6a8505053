#!lua flags=no-writes
-- Lists the tokens that Redis has in flight for an owner.
--
-- KEYS  its in-flight hashes, one for each queue
-- Returns, for each queue that has any: its number from 0, the hash's fields (tokens, 'floor', 'solo').
local reply = {}
for i, inflight in ipairs(KEYS) do
  local fields = redis.pcall('HKEYS', inflight)
  if not fields.err and #fields > 0 then
    reply[#reply + 1] = i - 1
    reply[#reply + 1] = fields
  end
end
return reply
