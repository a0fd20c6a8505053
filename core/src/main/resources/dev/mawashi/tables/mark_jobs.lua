-- Takes jobs out of a queue. LREM goes from job to job, LINDEX and LSET from node to node, which takes a
-- hundredth of it; so each job is marked where it stands, and all marks go in one walk.
--
-- A job is looked for where it stood when it was read, then to the right of that, where jobs are that
-- others came before or left behind; once in a call in all of the queue.

local searched = false

-- Among a thousand.
local function near(queue, job, place)
  if redis.call('LINDEX', queue, place) == job then
    return place
  end
  local first, count, size = place + 1, 1, redis.call('LLEN', queue)
  if first < -size then
    first = -size
  end
  while count <= 512 and (first < 0) == (place < 0) do
    local last = first + count - 1
    if place < 0 and last >= 0 then
      last = -1
    end
    local bytes = 0
    for i, one in ipairs(redis.call('LRANGE', queue, first, last)) do
      if one == job then
        return first + i - 1
      end
      bytes = bytes + #one
    end
    if bytes == 0 or bytes > 1000000 then
      return nil
    end
    first, count = last + 1, count * 2
  end
  return nil
end

local function anywhere(queue, job, place)
  if place < 0 then
    local found = redis.call('LPOS', queue, job, 'RANK', -1)
    return found and found - redis.call('LLEN', queue)
  end
  return redis.call('LPOS', queue, job) or nil
end

-- Removes all marks, from the end that is nearer to the furthest of them.
local function remove_marks(queue, mark, places)
  local size = redis.call('LLEN', queue)
  local first, last = size, 0
  for _, place in ipairs(places) do
    local from_left = place < 0 and place + size or place
    first, last = math.min(first, from_left), math.max(last, from_left)
  end
  redis.call('LREM', queue, last < size - first and #places or -#places, mark)
end

-- jobs    their bytes, in the order in which they were read
-- places  of each, from the left or, below 0, from the right
-- Returns for each job 1; 0 when it is no longer there; -1 when it may be, and is to be asked for again.
local function take_out(queue, jobs, places)
  -- An ACL that lacks this refuses it here, before any job is marked.
  redis.call('LREM', 'mw:taken', 1, '')
  local time = redis.call('TIME')
  local mark = 'mw:taken:' .. time[1] .. ':' .. time[2]
  local states, marked, shift = {}, {}, 0
  -- The last was read last, so that the fewest jobs have come or gone since.
  for i = #jobs, 1, -1 do
    local place = near(queue, jobs[i], places[i] + shift)
    if not place and not searched then
      searched = true
      place = anywhere(queue, jobs[i], places[i])
      states[i] = 0
    end
    if place then
      shift = place - places[i]
      redis.call('LSET', queue, place, mark)
      marked[#marked + 1] = place
      states[i] = 1
    end
    states[i] = states[i] or -1
  end
  if #marked > 0 then
    remove_marks(queue, mark, marked)
  end
  return states
end
