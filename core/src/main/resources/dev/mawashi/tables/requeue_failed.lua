#!lua flags=allow-oom
-- Enqueues jobs of a Resque failure list anew and notes that in their records, which stay.
--
-- KEYS  1 failure list  2 queues  3 queue
-- ARGV  1 queue name, then for each job: its record, the record's place, its new record, its bytes for the
--       queue
-- Returns the number enqueued; a record that is no longer there was taken by someone else. What may be
-- refused comes before a record is changed, so that it leaves the records as they were.
-- include /dev/mawashi/broker/need.lua
need('LSET', KEYS[1], 0, '')
local done = 0
for i = 2, #ARGV, 4 do
  local place = ARGV[i + 1]
  if redis.call('LINDEX', KEYS[1], place) ~= ARGV[i] then
    place = redis.call('LPOS', KEYS[1], ARGV[i])
  end
  if place then
    if done == 0 then
      redis.call('SADD', KEYS[2], ARGV[1])
    end
    redis.call('RPUSH', KEYS[3], ARGV[i + 3])
    redis.call('LSET', KEYS[1], place, ARGV[i + 2])
    done = done + 1
  end
end
return done
