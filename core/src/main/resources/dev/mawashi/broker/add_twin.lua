-- Adds a payload to a sorted set beside all that is in it. A set holds equal bytes once, so a twin gets
-- a number in spaces and tabs behind it, which JSON allows: that of the microsecond, or the next one
-- that is free. So the millionth twin costs what the second does.
-- Returns the bytes that it has there.
local function add_twin(set, score, payload)
  local bytes, number = payload, nil
  while redis.call('ZADD', set, 'NX', score, bytes) == 0 do
    local time = redis.call('TIME')
    number = number and number + 1 or time[1] % 16 * 1000000 + time[2]
    local left, mark = number, {}
    for digit = 1, 24 do
      mark[digit] = left % 2 == 0 and ' ' or '\t'
      left = math.floor(left / 2)
    end
    bytes = payload .. table.concat(mark)
  end
  return bytes
end
