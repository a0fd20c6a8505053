-- The whole number that a field holds, of at most 16 digits, the longest that a token has. 0 where there
-- is none, and where somebody has written what is no number: that counts as absent.
local function whole(text)
  return text and #text <= 16 and string.match(text, '^%d+$') and tonumber(text) or 0
end
