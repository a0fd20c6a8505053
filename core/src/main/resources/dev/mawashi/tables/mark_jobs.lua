-- Takes jobs out of a queue. LREM goes from job to job, LINDEX and LSET from node to node, which takes a
-- hundredth of it; so each job is marked where it stands, and all marks go in one walk.
--
-- A job is looked for where it stood when it was read, then around that: mostly to the right, where jobs
-- are that others came before or left behind. What a call has looked at it remembers, so that jobs that
-- are gone cost it one look together. Some 2,000 entries or 1 MB are looked at.

local chunk_size, before, after = 32, 64, 1024
local entries_left, bytes_left, longest = 2000, 1000000, 0
local seen = {} -- chunks looked at
local stands = {} -- the places of each payload that was seen

local function look(queue, chunk)
  local first = chunk * chunk_size
  local step = longest * chunk_size > bytes_left and 1 or chunk_size
  for at = first, first + chunk_size - 1, step do
    if entries_left <= 0 or bytes_left <= 0 then
      return
    end
    local some = redis.call('LRANGE', queue, at, at + step - 1)
    for i, one in ipairs(some) do
      stands[one] = stands[one] or {}
      table.insert(stands[one], at + i - 1)
      bytes_left, longest = bytes_left - #one, math.max(longest, #one)
    end
    entries_left = entries_left - #some
  end
  seen[chunk] = true
end

-- Among what was seen. One that was marked meanwhile is passed over.
local function standing(queue, job)
  local places = stands[job] or {}
  while #places > 0 do
    local place = table.remove(places, 1)
    if redis.call('LINDEX', queue, place) == job then
      return place
    end
  end
  return nil
end

-- Returns a job's place, or nil, and then whether the job may be in the queue all the same.
local function near(queue, job, place, size)
  if place >= 0 and place < size and redis.call('LINDEX', queue, place) == job then
    return place
  end
  longest = math.max(longest, #job)
  local found = standing(queue, job)
  local first = math.max(0, math.min(place, size) - before)
  local last = math.min(place + after, size - 1)
  local chunk = math.floor(first / chunk_size)
  while not found and chunk * chunk_size <= last do
    if not seen[chunk] then
      look(queue, chunk)
      found = standing(queue, job)
      if not found and not seen[chunk] then
        return nil, true
      end
    end
    chunk = chunk + 1
  end
  return found, last < size - 1
end

-- Removes all marks, from the end that is nearer to the furthest of them.
local function remove_marks(queue, mark, places, size)
  local first, last = size, 0
  for _, place in ipairs(places) do
    first, last = math.min(first, place), math.max(last, place)
  end
  redis.call('LREM', queue, last < size - first and #places or -#places, mark)
end

-- jobs    their bytes, in the order in which they were read
-- places  of each, from the left or, below 0, from the right
-- Returns for each job 1; 0 when it is no longer there; -1 when it may be further away (find_jobs.lua).
local function take_out(queue, jobs, places)
  -- An ACL that lacks one of these refuses it here, before any job is marked.
  need('LREM', queue, 1, '')
  redis.call('LRANGE', queue, 1, 0)
  local time = redis.call('TIME')
  local mark = 'mw:taken:' .. time[1] .. ':' .. time[2]
  local size = redis.call('LLEN', queue)
  local states, marked, shift = {}, {}, 0
  -- The last was read last, so that the fewest jobs have come or gone since.
  for i = #jobs, 1, -1 do
    local stood = places[i] < 0 and places[i] + size or places[i]
    local place, may_be = near(queue, jobs[i], stood + shift, size)
    if place then
      shift = place - stood
      redis.call('LSET', queue, place, mark)
      marked[#marked + 1] = place
      states[i] = 1
    else
      states[i] = may_be and -1 or 0
    end
  end
  if #marked > 0 then
    remove_marks(queue, mark, marked, size)
  end
  return states
end
