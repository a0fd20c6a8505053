-- Trims a sorted set of dead jobs: those older than so many seconds go, and the oldest beyond the most;
-- as in Sidekiq one fewer is kept. At most twenty more go than have come, so that a trim never takes
-- long; the next job that comes takes the next ones out.
-- Returns the number that went.
local function trim(set, seconds, most, come)
  local time = redis.call('TIME')
  local oldest = string.format('%.6f', time[1] + time[2] / 1000000 - seconds)
  local old = redis.call('ZCOUNT', set, '-inf', oldest)
  local over = redis.call('ZCARD', set) - most + 1
  local count = math.min(math.max(old, over), come + 20)
  if count <= 0 then
    return 0
  end
  return redis.call('ZREMRANGEBYRANK', set, 0, count - 1)
end
