#!lua flags=allow-oom
-- Opens or renews an owner's lease on queues, by Redis's clock.
--
-- KEYS  1 served queues, then for each queue: leases, recovered owners
-- ARGV  1 owner  2 milliseconds from now  3 'open' or 'renew', then the queues
-- Returns { queues on which others have recovered the owner, or begun to: it is fenced there, queues on
--           which its lease was gone and nobody has recovered it: Redis went back in time, and the lease
--           is open again, then for each queue that is refused: its number from 0, why }
-- A key of a wrong type holds up no other queue's lease.
local owner, is_open = ARGV[1], ARGV[3] == 'open'
local time = redis.call('TIME')
local lapses = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[2]))
local reply = { 0, 0 }
redis.pcall('SADD', KEYS[1], unpack(ARGV, 4))

-- Keeps a lease of this score, or of none. Answers 0 when the owner is fenced, else what Redis answers.
local function keep(leases, recovered, score)
  if score and tonumber(score) < 0 then
    -- Others are about to put its jobs back.
    reply[1] = reply[1] + 1
    return 0
  end
  if not score and not is_open then
    if type(redis.pcall('ZSCORE', recovered, owner)) == 'string' then
      reply[1] = reply[1] + 1
      return 0
    end
    reply[2] = reply[2] + 1
  end
  return redis.pcall('ZADD', leases, lapses, owner)
end

for i = 2, #KEYS, 2 do
  local score = redis.pcall('ZSCORE', KEYS[i], owner)
  local answer = type(score) == 'table' and score or keep(KEYS[i], KEYS[i + 1], score)
  if type(answer) == 'table' then
    reply[#reply + 1] = (i - 2) / 2
    reply[#reply + 1] = answer.err
  end
end
return reply
