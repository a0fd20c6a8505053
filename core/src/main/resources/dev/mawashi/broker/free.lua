-- Frees a lock if it is this owner's. What is no lock, or may not be freed, stays: a lock ends by itself.
-- Returns 1 when it was freed, else 0.
local function free(lock, owner)
  local freed = redis.pcall('GET', lock) == owner and redis.pcall('DEL', lock)
  return freed == 1 and 1 or 0
end
