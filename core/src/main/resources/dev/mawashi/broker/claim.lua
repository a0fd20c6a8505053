#!lua flags=allow-oom
-- Moves the next jobs of several queues, in the order given, into an owner's in-flight stores.
--
-- KEYS  1 dead set, then for each queue: queue, arrivals, in-flight hash, leases
-- ARGV  1 owner  2 first token  3 most jobs  4 most bytes (one job is taken whatever its size)
--       5 largest payload; a larger one goes to the dead set as it is
--       6 seconds a dead job is kept  7 most dead jobs  8 a letter for each queue: what to do with its
--       arrivals: f take from them first, b leave them alone, p take nothing from the queue if there are any
-- Returns { queues refused for want of a lease, payloads buried, old entries of the dead set trimmed,
--           then for each queue that gave something: its number from 0, count, payloads..., and for each
--           that cannot be used (wrong type, or a too large payload at its head and a dead set of a wrong
--           type): its number, -1 }
-- Promise: a job is in its queue or in the in-flight store, never in both or neither. A claim whose
-- tokens lie below the store's floor was given up by its sender and takes nothing.
-- include add_twin.lua
-- include trim.lua
-- include whole.lua
local owner, token = ARGV[1], tonumber(ARGV[2])
local first_token = token
local want, budget, largest = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local reply, filled = { 0, 0, 0 }, 3
local unusable = {}

-- A refusal when a key is of a wrong type: nothing can be claimed from this queue.
local function has_lease(leases, inflight)
  local lapses = redis.pcall('ZSCORE', leases, owner)
  if type(lapses) == 'table' then
    return nil, lapses
  end
  if not lapses or tonumber(lapses) < now_ms then
    return false
  end
  local floor = redis.pcall('HGET', inflight, 'floor')
  if type(floor) == 'table' then
    return nil, floor
  end
  return token >= whole(floor)
end

-- How many of the next `most` to pop: as many as fit if all are as long as the longest seen, or as the
-- last of them. Large ones seldom come alone.
local next_is_right = string.find('RIGHT', 'R') ~= nil
local function chunk(list, most, longest)
  if most > 1 and 2 * longest < budget then
    local last = redis.call('LINDEX', list, next_is_right and -most or most - 1)
    longest = math.max(longest, last and #last or 0)
  end
  return math.max(1, math.min(most, math.floor(budget / (2 * math.max(longest, 1)))))
end

local function bury(payload)
  local now = time[1] .. '.' .. string.format('%06d', time[2])
  if not pcall(add_twin, KEYS[1], now, payload) then
    return false
  end
  reply[2] = reply[2] + 1
  local done, trimmed = pcall(trim, KEYS[1], ARGV[6], ARGV[7], 1)
  reply[3] = reply[3] + (done and trimmed or 0)
  return true
end

-- Whether the user may do this. If not, the call is made to be refused, for an entry in ACL LOG.
local function may(...)
  return redis.acl_check_cmd(...) or type(redis.pcall(...)) ~= 'table'
end

local function put_back(list, popped, from)
  for i = #popped, from, -1 do
    redis.call('RPUSH', list, popped[i])
  end
end

-- Appends what it takes to the reply, and returns whether the list can be used. What it needs is asked for
-- first: an error further down would end the script with popped payloads nowhere. Once a job, so it calls
-- nothing it can do without; a token goes to Redis as a number, which writes it with 17 digits.
local function take(list, inflight, left)
  if left > 0 and not (may('HSET', inflight, '', '') and may('RPUSH', list, '')) then
    return false
  end
  local longest, most = 0, 1 -- one at first, then a few, then many
  while left > 0 and want > 0 and budget > 0 do
    local popped = redis.call('RPOP', list, chunk(list, math.min(want, left, most), longest))
    most = most == 1 and 10 or 100
    left = left - #popped
    local fields, last, is_stuck = {}, 0, false
    for i = 1, #popped do
      local payload = popped[i]
      local size = #payload
      if size > longest then
        longest = size
      end
      if size > budget and token > first_token then
        put_back(list, popped, i)
        budget = 0
        break
      end
      budget = budget - size
      if size <= largest then
        fields[last + 1] = token
        fields[last + 2] = payload
        last = last + 2
        token = token + 1
        filled = filled + 1
        reply[filled] = payload
      elseif not bury(payload) then
        put_back(list, popped, i)
        is_stuck = true
        break
      end
    end
    if last > 0 then
      redis.call('HSET', inflight, unpack(fields))
      want = want - last / 2
    end
    if is_stuck then
      return false
    end
  end
  return true
end

for first = 2, #KEYS, 4 do
  if want <= 0 or budget <= 0 then
    break
  end
  local queue, arrivals, inflight, leases = unpack(KEYS, first, first + 3)
  local waiting, arrived = redis.pcall('LLEN', queue), redis.pcall('LLEN', arrivals)
  local number = (first - 2) / 4
  local mark = string.sub(ARGV[8], number + 1, number + 1)
  if type(waiting) == 'table' or type(arrived) == 'table' then
    unusable[#unusable + 1] = number
  elseif waiting + arrived > 0 and not (mark == 'p' and arrived > 0) then
    local is_leased, refusal = has_lease(leases, inflight)
    if refusal then
      unusable[#unusable + 1] = number
    elseif is_leased then
      local count = filled + 2
      reply[count - 1], reply[count] = number, 0
      filled = count
      local is_usable = mark ~= 'f' or take(arrivals, inflight, arrived)
      if not (take(queue, inflight, waiting) and is_usable) then
        unusable[#unusable + 1] = number
      end
      if filled > count then
        reply[count] = filled - count
      else
        reply[count - 1], reply[count] = nil, nil
        filled = count - 2
      end
    else
      reply[1] = reply[1] + 1
    end
  end
end
for _, number in ipairs(unusable) do
  reply[filled + 1], reply[filled + 2] = number, -1
  filled = filled + 2
end
return reply
