#!lua flags=allow-oom
-- Writes a process's records among Resque's workers: who there are, when they were heard of, what they
-- run; and adds to the counters of runs.
--
-- KEYS  1 workers  2 heartbeats  3 runs  4 runs of the first worker
--       then for each worker: what it runs, when it started
-- ARGV  1 runs since the last beat  2 time of this beat  3 time of the start, as Resque writes them
--       then for each worker: its id, and what it runs or '' when it is idle
-- Returns the number of workers, or the first refusal: a counter that is no number and a key of a wrong
-- type keep nothing else back. The runs are counted then as far as they can be, and not to be sent again.
local refusal = nil
local function note(reply)
  if type(reply) == 'table' and reply.err then
    refusal = refusal or reply
  end
end

if ARGV[1] ~= '0' then
  note(redis.pcall('INCRBY', KEYS[3], ARGV[1]))
  note(redis.pcall('INCRBY', KEYS[4], ARGV[1]))
end
local workers = 0
for i = 4, #ARGV, 2 do
  local running, started = KEYS[5 + 2 * workers], KEYS[6 + 2 * workers]
  workers = workers + 1
  note(redis.pcall('SADD', KEYS[1], ARGV[i]))
  note(redis.pcall('HSET', KEYS[2], ARGV[i], ARGV[2]))
  note(redis.pcall('SET', started, ARGV[3]))
  if ARGV[i + 1] == '' then
    note(redis.pcall('DEL', running))
  else
    note(redis.pcall('SET', running, ARGV[i + 1]))
  end
end
return refusal or workers
