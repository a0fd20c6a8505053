#!lua flags=allow-oom
-- Undoes a part of an act on a sorted set of jobs: what was kept goes back with its score.
--
-- KEYS  1 sorted set of what is kept  2 set where it was  3 set where the act put it, if any
-- ARGV  1 most entries
-- Returns { entries looked at, entries put back }; what is no longer where the act put it was taken by
--           someone else.
-- include /dev/mawashi/broker/add_twin.lua
-- include /dev/mawashi/broker/can_add.lua
-- include /dev/mawashi/broker/need.lua
local some = redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1, 'WITHSCORES')
-- What may be refused is looked at first, so that it leaves what is kept as it was.
can_add(KEYS[2])
need('ZREM', KEYS[1], '')
redis.call('TIME')
local back = 0
for i = 1, #some, 2 do
  local is_there = not KEYS[3] or redis.call('ZREM', KEYS[3], some[i]) == 1
  redis.call('ZREM', KEYS[1], some[i])
  if is_there then
    add_twin(KEYS[2], some[i + 1], some[i])
    back = back + 1
  end
end
return { #some / 2, back }
