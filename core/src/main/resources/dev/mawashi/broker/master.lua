-- True when a resque-scheduler is master: the lock is there, and is not that of a server which enqueues for the
-- gem's schedules (master_lock.rb). What is no string is somebody's too.
local function has_master(lock)
  local owner = redis.pcall('GET', lock)
  if type(owner) == 'table' and not string.find(owner.err, 'WRONGTYPE', 1, true) then
    redis.call('GET', lock)
  end
  return owner and (type(owner) == 'table' or string.sub(owner, 1, 8) ~= 'mawashi:')
end
