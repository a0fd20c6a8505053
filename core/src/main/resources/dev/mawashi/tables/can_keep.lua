-- Decides whether jobs may be kept for a while: few enough in number and, as far as Redis reports, in bytes.
-- Only then is it asked for the bytes, since that takes it longer the more jobs there are.
--
-- limits  1 most jobs  2 most bytes
local function can_keep(jobs, keys, limits)
  if jobs > tonumber(limits[1]) then
    return false
  end
  local bytes = 0
  for _, key in ipairs(keys) do
    local used = redis.pcall('MEMORY', 'USAGE', key, 'SAMPLES', '0')
    if type(used) == 'table' then
      return false
    end
    bytes = bytes + (used or 0)
  end
  return bytes <= tonumber(limits[2])
end
