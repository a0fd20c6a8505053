#!lua
-- Decides one tick of a schedule: enqueues its job, or leaves it out. A tick is decided once, whoever asks and
-- however often. Without allow-oom: a full Redis refuses new jobs, and the tick stays undecided.
--
-- KEYS  1 marks  2 paused schedules  3 the schedule's runs, then where there is a job: 4 queues  5 queue
-- ARGV  1 schedule  2 tick, ms since 1970; '' for a run by hand  3 the tick that must be decided before this one;
--       '' for none  4 what the mark says behind the tick  5 record of the run; '' for none  6 record of a run that
--       is left out because of a pause  7 records kept  8 seconds that they are kept, then where there is a job:
--       9 queue name  10 job
-- Returns 'fired', 'paused', or what keeps it from being decided: 'past' for a tick that is, or lies before one
-- that is, 'early' for one that Redis's clock has not reached, 'behind' where the one before it is not decided.
-- Promise: mark, job and record change together, or nothing does.
-- include need.lua
local tick = tonumber(ARGV[2])
local mark = tonumber(string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^%d+'))
local paused = redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1
local record, job = ARGV[5], ARGV[10]
if tick then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  -- A mark more than a day ahead is of a clock that was wrong, or damaged: it would end the schedule until then.
  if mark and mark > now + 86400000 then
    mark = nil
  end
  if mark and mark >= tick then
    return 'past'
  end
  if tick > now then
    return 'early'
  end
  if mark and mark < (tonumber(ARGV[3]) or 0) then
    return 'behind'
  end
  need('HSET', KEYS[1], '', '')
  if paused then
    record, job = record ~= '' and ARGV[6] or '', nil
  end
end

-- A key of a wrong type, or a user who may not do this, ends the script here, before anything has changed.
local newest
if record ~= '' then
  newest = redis.call('LINDEX', KEYS[3], 0)
  need('LPUSH', KEYS[3], '')
  need('LTRIM', KEYS[3], 0, 0)
  need('EXPIRE', KEYS[3], 1)
end
if job then
  redis.call('SISMEMBER', KEYS[4], '')
  need('SADD', KEYS[4], '')
  redis.call('LLEN', KEYS[5])
  need('LPUSH', KEYS[5], '')
  redis.call('SADD', KEYS[4], ARGV[9])
  redis.call('LPUSH', KEYS[5], job)
end
if tick then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d ', tick) .. ARGV[4])
end
-- Of the ticks of one pause the first is recorded, so that they do not push out all others.
if record ~= '' and not (paused and tick and newest and string.find(newest, '"outcome":"paused"', 1, true)) then
  redis.call('LPUSH', KEYS[3], record)
  redis.call('LTRIM', KEYS[3], 0, ARGV[7] - 1)
  redis.call('EXPIRE', KEYS[3], ARGV[8])
end
return paused and tick and 'paused' or 'fired'
