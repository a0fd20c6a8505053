-- KEYS: a list, another that gets what is taken. Returns the other's length, once the first is empty.
local job = redis.call('LPOP', KEYS[1])
if not job then
    return -1
end
if redis.call('LLEN', KEYS[1]) > 0 then
    return -2
end
return redis.call('RPUSH', KEYS[2], job)
