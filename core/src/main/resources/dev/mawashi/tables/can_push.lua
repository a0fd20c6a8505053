-- Ends the script, as long as it has moved nothing, when jobs may not be pushed to a list: the key is of a
-- wrong type, or the user may not do this. The list is as it was afterwards.
local function can_push(list, push)
  redis.call('LTRIM', list, 0, -1)
  redis.call(push, list, '')
  if push == 'LPUSH' then
    redis.call('LTRIM', list, 1, -1)
  else
    redis.call('LTRIM', list, 0, -2)
  end
end
