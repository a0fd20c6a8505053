# frozen_string_literal: true

require "mawashi/cron/marks"

module Mawashi
  class SchedulerGem
    # Goes before the gem's methods of the marks of a schedule's times: a sorted set in which each process notes the second
    # before it enqueues the job. The seconds of a line are the same in all processes. Those of `every` and `interval`
    # count from each process's start, so here the process that came last goes on, and another only after a whole period
    # without it.
    module Marks
      KINDS = %w[cron every at in interval].freeze
      FIRST = %w[first first_time first_at first_in].freeze
      SECONDS = 24 * 60 * 60
      private_constant :KINDS, :FIRST, :SECONDS

      # KEYS  1 marks, then where there is a period: 2 who came last
      # ARGV  1 second  2 seconds that the marks are kept  3 period in seconds, 0 for none  4 who comes
      #       5 '1' to come however long after another
      # Returns 1 where the job is to be enqueued, or 0, which changes nothing.
      REGISTER = <<~LUA
        #!lua
        #{Cron::Marks::NEED}
        if redis.call('ZSCORE', KEYS[1], ARGV[1]) then
          return 0
        end
        local second, period = tonumber(ARGV[1]), tonumber(ARGV[3])
        if period > 0 then
          local newest = tonumber(redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])
          local is_far = not newest or math.abs(second - newest) >= period
          if redis.call('GET', KEYS[2]) ~= ARGV[4] and not is_far and ARGV[5] ~= '1' then
            return 0
          end
          need('SET', KEYS[2], '')
        end
        need('ZADD', KEYS[1], 0, '')
        need('EXPIRE', KEYS[1], 1)
        if period > 0 then
          redis.call('SET', KEYS[2], ARGV[4], 'EX', ARGV[2])
        end
        redis.call('ZADD', KEYS[1], ARGV[1], ARGV[1])
        redis.call('EXPIRE', KEYS[1], ARGV[2])
        return 1
      LUA
      private_constant :REGISTER

      # @param entry [Hash] a schedule
      # @return [String, nil] the key that says when its times are
      def self.kind(entry)
        KINDS.find { |kind| entry[kind] && !entry[kind].empty? }
      end

      # The gem's.
      def register_job_instance(name, time)
        turn = SchedulerGem.current&.turn or return super
        entry = (::Sidekiq.schedule || {})[name] || {}
        turn.comes(name) if Marks.kind(entry) == "in"
        period, is_start = mawashi_period(entry)
        marks = pushed_job_key(name)
        kept = [SECONDS, (period * 2).ceil].max
        words = [time.to_i, kept, period, turn.id, is_start && turn.first?(name) ? 1 : 0].map(&:to_s)
        Cron::Marks.run(::Sidekiq.redis_pool, REGISTER, [marks, "mw:cron:last:#{marks}"], words) == 1
      end

      private

      # @return [Array] seconds that must be between times of different processes, 0 where they share their times; and
      #   whether the entry says when each process comes first
      def mawashi_period(entry)
        kind = Marks.kind(entry)
        return [0, false] unless %w[every interval].include?(kind)

        text, options = entry[kind]
        is_start = options.is_a?(Hash) && options.any? { |option, _| FIRST.include?(option.to_s) }
        [::Rufus::Scheduler.parse_in(text), is_start]
      end
    end
  end
end
