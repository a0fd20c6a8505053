#!lua flags=allow-oom
-- Moves jobs that were moved a while ago back, to the head of the queue where they were. They are looked
-- for among the newest.
--
-- KEYS  1 queue  2 queue where they were  3 queues
-- ARGV  1 name of the latter  then for each job, the next to run last: its bytes, its bytes there
-- Returns the number moved; a job that is no longer there runs, or was taken by someone else.
-- What may be refused comes before a job leaves this queue, so that it leaves it as it was.
local moved = 0
for i = 2, #ARGV, 2 do
  if redis.call('LPOS', KEYS[1], ARGV[i], 'MAXLEN', 2000) then
    if moved == 0 then
      redis.call('SADD', KEYS[3], ARGV[1])
    end
    redis.call('RPUSH', KEYS[2], ARGV[i + 1])
    local gone = redis.pcall('LREM', KEYS[1], 1, ARGV[i])
    if type(gone) == 'table' then
      redis.call('RPOP', KEYS[2])
      return gone
    end
    moved = moved + 1
  end
end
return moved
