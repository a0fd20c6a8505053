#!lua flags=allow-oom
-- Puts a question to a process, if there is such a process and it takes questions. Carries
-- allow-oom, since a process is to be looked into above all when Redis is full; what it adds is bounded.
--
-- KEYS  1 the process's record  2 list of questions that it has not taken
-- ARGV  1 question  2 field of the record that is there if it takes questions
--       3 most questions that wait  4 seconds that they wait
-- Returns `asked`; or `gone`, `mute`, `odd`, `many`, and then nothing has changed. A record that is
-- none counts as gone, since anybody may ask for any name; `odd` is a list that is none.
local record = redis.pcall('HMGET', KEYS[1], 'info', ARGV[2])
if record.err or not record[1] then
  return 'gone'
end
if not record[2] then
  return 'mute'
end
local waiting = redis.pcall('LLEN', KEYS[2])
if type(waiting) == 'table' then
  return 'odd'
end
if waiting >= tonumber(ARGV[3]) then
  return 'many'
end
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 'asked'
