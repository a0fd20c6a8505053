-- Reads entries until there are as many, or as many bytes, as wanted; one at least, whatever its size.
-- read(first, count) gives entries from a place on, the first being 0. It reads as many at once as fit
-- if all are as long as the longest seen. The last of them is looked at beforehand, since large ones
-- seldom come alone.
local function read_some(read, most, budget)
  local found, longest, count = {}, 1, 1
  while #found < most do
    local entries = read(#found, count)
    for i = 1, #entries do
      budget = budget - #entries[i]
      if budget < 0 and #found > 0 then
        return found
      end
      found[#found + 1] = entries[i]
      longest = math.max(longest, #entries[i])
    end
    if #entries < count or budget <= 0 then
      break
    end
    count = math.min(most - #found, math.floor(budget / (2 * longest)))
    if count > 1 then
      local last = read(#found + count - 1, 1)[1]
      count = math.min(count, math.floor(budget / (2 * math.max(longest, last and #last or 0))))
    end
    count = math.max(count, 1)
  end
  return found
end
