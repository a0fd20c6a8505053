-- Ends the script, as long as it has moved nothing, when the user may not do this. Otherwise nothing is
-- done. The call is made only to be refused: with Redis's own words, and an entry in ACL LOG.
local function need(...)
  if not redis.acl_check_cmd(...) then
    redis.call(...)
  end
end
