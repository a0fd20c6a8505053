-- Frees a lock if it is this owner's; it reads '<ms of its end> <owner> <class>', and the class has no space.
-- What is no lock, or may not be freed, stays: a lock ends by its time. The digest is '' for a job without a
-- lock.
-- Returns 1 when it was freed, else 0.
local function free(locks, digest, owner)
  local lock = digest ~= '' and redis.pcall('HGET', locks, digest)
  if type(lock) ~= 'string' or string.match(lock, '^%d+ (.*) ') ~= owner then
    return 0
  end
  return redis.pcall('HDEL', locks, digest) == 1 and 1 or 0
end
