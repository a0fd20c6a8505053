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
      -- KEYS  1 queues  2 queue, or schedule  3 locks
      -- ARGV  1 queue name; '' for jobs for later, then for each job: its lock's digest, the lock's owner to be, the
      --       job's class, a jid that it takes the lock over from or '', milliseconds that the lock lasts, 1 to
      --       enqueue it whoever holds the lock, its due time, its bytes
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
      need('HSET', KEYS[3], '', '')
      need('HDEL', KEYS[3], '')
      need('TTL', KEYS[3])
      need('PEXPIRE', KEYS[3], 1)
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      -- Of '<ms of its end> <owner> <class>', until its time is over. An owner may have spaces, a class has none.
      local function owner_of(lock)
        local ends, owner = string.match(lock or '', '^(%d+) (.*) ')
        return ends and tonumber(ends) > now and owner
      end
      -- An owner is a jid, with '~' and a number if the job came into Redis again.
      local function is_of(owner, jid)
        local has_jid = string.sub(owner, 1, #jid) == jid
        return has_jid and (#owner == #jid or string.find(owner, '^~%d+$', #jid + 1) ~= nil)
      end

      local digests, owners = {}, {}
      for i = 2, #ARGV, 8 do
        digests[#digests + 1] = ARGV[i]
      end
      for i, lock in ipairs(redis.call('HMGET', KEYS[3], unpack(digests))) do
        owners[digests[i]] = owner_of(lock)
      end
      -- Locks whose time is over leave at pushes: so many are looked at that they cannot become most.
      local over = {}
      local some = redis.call('HRANDFIELD', KEYS[3], -3 * #digests, 'WITHVALUES')
      for i = 1, #some, 2 do
        if not owner_of(some[i + 1]) then
          over[#over + 1] = some[i]
        end
      end

      local replies, jobs, taken, longest = {}, {}, {}, 0
      for i, digest in ipairs(digests) do
        local owner, class, before, ttl, is_forced, due, job = unpack(ARGV, 8 * i - 5, 8 * i + 1)
        local holder = owners[digest]
        local is_ours = holder and before ~= '' and is_of(holder, before)
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
            owners[digest] = owner
            taken[#taken + 1] = digest
            taken[#taken + 1] = string.format('%.0f ', now + ttl) .. owner .. ' ' .. string.gsub(class, ' ', '_')
            longest = math.max(longest, tonumber(ttl))
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
      if #over > 0 then
        redis.call('HDEL', KEYS[3], unpack(over))
      end
      if #taken > 0 then
        redis.call('HSET', KEYS[3], unpack(taken))
        -- The key lasts for some seconds longer than its last lock.
        if redis.call('TTL', KEYS[3]) * 1000 < longest + 1000 then
          redis.call('PEXPIRE', KEYS[3], longest + 2000)
        end
      end
      return replies
    LUA
  end
end
