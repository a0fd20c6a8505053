-- Under what a crash is noted: the SHA-1 of a payload. Of a large one it is that of its length, its
-- begin and its end, since 16 MiB would take 50 ms; should two share it, one more of them runs alone.
local function crash_id(payload)
  if #payload <= 65536 then
    return redis.sha1hex(payload)
  end
  return redis.sha1hex(#payload .. string.sub(payload, 1, 32768) .. string.sub(payload, -32768))
end
