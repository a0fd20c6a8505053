# frozen_string_literal: true

module Mawashi
  # The script by which jobs come into Redis together with their locks.
  module UniqueScript
    # The server's own, word for word.
    TEXT = <<~'LUA'
      #!lua
      -- Enqueues jobs of one queue, or for later, each unless its lock is another job's. Without allow-oom: a full
      -- Redis refuses new jobs.
      --
      -- KEYS  1 queues  2 queue, or schedule, then for each job its lock
      -- ARGV  1 queue name; '' for jobs for later, then for each job: the lock's owner to be, a jid that it takes the
      --       lock over from or '', milliseconds that the lock lasts, 1 to enqueue it whoever holds the lock, its due
      --       time, its bytes
      -- Returns for each job 1 when it is in Redis, or the owner of the lock that keeps it out.
      -- Promise: a job is in Redis and holds its lock, or nothing has changed; only one that must come in holds none
      -- where the lock is another's. A call that is repeated, since its reply was lost, enqueues nothing twice whose
      -- lock it finds to be its own.
      local function need(...)
        if not redis.acl_check_cmd(...) then
          redis.call(...)
        end
      end

      -- A key of a wrong type, or a user who may not do this, ends the script here, before anything has changed.
      local is_later = ARGV[1] == ''
      if is_later then
        redis.call('ZADD', KEYS[2], 'XX', 'GT', '-inf', '')
      else
        redis.call('SISMEMBER', KEYS[1], '')
        redis.call('LLEN', KEYS[2])
        need('SADD', KEYS[1], '')
        need('LPUSH', KEYS[2], '')
      end
      local owners = {}
      for i = 3, #KEYS do
        owners[KEYS[i]] = redis.call('GET', KEYS[i])
        need('SET', KEYS[i], '', 'PX', 1)
      end

      local replies, jobs, taken = {}, {}, {}
      for i = 3, #KEYS do
        local owner, before, ttl, is_forced, due, job = unpack(ARGV, 6 * i - 16, 6 * i - 11)
        local holder = owners[KEYS[i]]
        local is_ours = holder and before ~= '' and string.match(holder, '^[^~]*') == before
        if holder and holder ~= owner and not is_ours and is_forced ~= '1' then
          replies[#replies + 1] = holder
        else
          replies[#replies + 1] = 1
          if holder ~= owner then
            if is_later then
              jobs[#jobs + 1] = due
            end
            jobs[#jobs + 1] = job
          end
          if not holder or is_ours then
            owners[KEYS[i]] = owner
            taken[#taken + 1] = { KEYS[i], owner, ttl }
          end
        end
      end
      if #jobs > 0 then
        if is_later then
          redis.call('ZADD', KEYS[2], unpack(jobs))
        else
          redis.call('SADD', KEYS[1], ARGV[1])
          redis.call('LPUSH', KEYS[2], unpack(jobs))
        end
      end
      for _, lock in ipairs(taken) do
        redis.call('SET', lock[1], lock[2], 'PX', lock[3])
      end
      return replies
    LUA
  end
end
