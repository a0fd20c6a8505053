# frozen_string_literal: true

require "mawashi/redis_pool"

module Mawashi
  module Cron
    # The marks of a schedule's times: a sorted set of sidekiq-cron's, in which its poller notes a time before it
    # enqueues the job. Here the mark and the job come together, so that a process which dies at any moment leaves both
    # or none.
    module Marks
      # For scripts that look at everything before they take anything: raises Redis's own error where its user may not
      # call a command.
      NEED = <<~LUA
        local function need(...)
          if not redis.acl_check_cmd(...) then
            redis.call(...)
          end
        end
      LUA

      # KEYS  1 marks, then a place for who is about to enqueue
      # ARGV  1 time as the mark has it  2 ms that the place is kept
      # Returns 'past' for a time that has a mark, 'taken', or 'ours'.
      CLAIM = <<~LUA
        #!lua
        if redis.call('ZSCORE', KEYS[1], ARGV[1]) then
          return 'past'
        end
        return redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[2]) and 'ours' or 'taken'
      LUA

      # KEYS  1 marks, then where there is a job: 2 queues  3 queue
      # ARGV  1 time as the mark has it  2 its score, then where there is a job: 3 queue name  4 job
      # Returns 'past' for a time that has a mark, which changes nothing, or 'marked'.
      # Promise: mark and job come together, or nothing does.
      MARK = <<~LUA
        #!lua
        #{NEED}
        if redis.call('ZSCORE', KEYS[1], ARGV[1]) then
          return 'past'
        end
        need('ZADD', KEYS[1], 0, '')
        if ARGV[4] then
          redis.call('SISMEMBER', KEYS[2], '')
          redis.call('LLEN', KEYS[3])
          need('SADD', KEYS[2], '')
          need('LPUSH', KEYS[3], '')
          redis.call('SADD', KEYS[2], ARGV[3])
          redis.call('LPUSH', KEYS[3], ARGV[4])
        end
        redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
        return 'marked'
      LUA

      # @param pool [#with] lends connections of redis-client or redis
      # @return [String] the script's answer
      def self.run(pool, script, keys, words)
        RedisPool.lend(pool) do |connection|
          # The redis gem's own methods know of a namespace, its `call` does not.
          next connection.eval(script, keys, words) unless defined?(::Sidekiq::RedisClientAdapter)

          connection.call("EVAL", script, keys.size, *keys, *words)
        end
      end
    end
  end
end
