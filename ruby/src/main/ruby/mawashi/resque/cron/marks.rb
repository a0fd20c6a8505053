# frozen_string_literal: true

require "json"
require "mawashi/cron/marks"
require "mawashi/resque/cron/place"
require "time"

module Mawashi
  module Resque
    module Cron
      # The marks of schedules in Redis, and the records of their runs. A time is decided while the master's lock is ours,
      # in one script with its job, so that a process which dies at any moment leaves both or none.
      module Marks
        # KEYS  1 master lock  2 marks  3 the schedule's runs  4 times of the last jobs, then where there is a job: 5 queues
        #       6 queue
        # ARGV  1 value of the lock  2 schedule  3 mark; '' for none  4 its time, ms since 1970  5 record of the run; ''
        #       for none, where a schedule begins  6 records kept  7 seconds that they are kept  8 seconds that marks are
        #       kept  9 time of the job as the gem writes it; '' where none was enqueued, then where there is a job: 10 queue
        #       name  11 job
        # Returns 'marked', 'past' for a time that is decided, or 'lost' when the lock is another's; these change nothing.
        # Promise: mark, job and record come together, or nothing does.
        DECIDE = <<~LUA
          #!lua
          #{::Mawashi::Cron::Marks::NEED}
          if redis.call('GET', KEYS[1]) ~= ARGV[1] then
            return 'lost'
          end
          local mark = redis.call('HGET', KEYS[2], ARGV[2])
          if mark and ARGV[3] ~= '' and ARGV[5] ~= '' then
            local tick = tonumber(string.match(mark, '^{"tick":(%d+)'))
            if tick and tick >= tonumber(ARGV[4]) then
              return 'past'
            end
          end
          need('HSET', KEYS[2], '', '')
          need('EXPIRE', KEYS[2], 1)
          need('HSET', KEYS[4], '', '')
          redis.call('HLEN', KEYS[4])
          local newest = redis.call('LINDEX', KEYS[3], 0)
          need('LPUSH', KEYS[3], '')
          need('LTRIM', KEYS[3], 0, 0)
          need('EXPIRE', KEYS[3], 1)
          if ARGV[11] then
            redis.call('SISMEMBER', KEYS[5], '')
            redis.call('LLEN', KEYS[6])
            need('SADD', KEYS[5], '')
            need('RPUSH', KEYS[6], '')
            redis.call('SADD', KEYS[5], ARGV[10])
            redis.call('RPUSH', KEYS[6], ARGV[11])
          end
          if ARGV[3] ~= '' then
            redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
            redis.call('EXPIRE', KEYS[2], ARGV[8])
          end
          if ARGV[9] ~= '' then
            redis.call('HSET', KEYS[4], ARGV[2], ARGV[9])
          end
          -- Of the times of one pause the first is recorded, so that they do not push out all others.
          local function is_paused(record)
            return record and string.find(record, '"outcome":"paused"', 1, true)
          end
          if ARGV[5] ~= '' and not (is_paused(ARGV[5]) and is_paused(newest)) then
            redis.call('LPUSH', KEYS[3], ARGV[5])
            redis.call('LTRIM', KEYS[3], 0, ARGV[6] - 1)
            redis.call('EXPIRE', KEYS[3], ARGV[7])
          end
          return 'marked'
        LUA
        RUNS_MAX = 20
        RUNS_SECONDS = 30 * 24 * 60 * 60
        MARK_SECONDS = 400 * 24 * 60 * 60
        SLICE = 1_000
        private_constant :DECIDE, :RUNS_MAX, :RUNS_SECONDS, :MARK_SECONDS, :SLICE

        class << self
          # @param names [Array<String>] of schedules
          # @return [Hash{String=>Array(Hash, String)}] each one's mark and the time of its last job
          def read(names)
            names.each_slice(SLICE).with_object({}) do |some, found|
              marks, times = [Place.marks, Place.last_enqueued].map { |key| Place.redis.hmget(key, *some) }
              some.zip(marks, times) { |name, mark, time| found[name] = [parsed(mark), time] }
            end
          end

          # Forgets those of schedules that are there no longer.
          def keep(names)
            gone = Place.redis.hkeys(Place.marks) - names
            gone.each_slice(SLICE) { |some| Place.redis.hdel(Place.marks, *some) }
          end

          # @param lock [String] the lock's value
          # @param name [String] of the schedule
          # @param mark [Hash, nil]
          # @param record [Hash, nil] of the run
          # @param time [String, nil] of the job, as the gem writes it
          # @param job [Array(String, String), nil] queue and payload
          # @return [Symbol] see the script
          def decide(lock, name, mark: nil, record: nil, time: nil, job: nil)
            keys = [Place.master_lock, Place.marks, Place.runs(name), Place.last_enqueued]
            keys.push(Place.key("queues"), Place.key("queue:#{job.first}")) if job
            texts = [mark, record].map { |hash| hash ? JSON.generate(hash) : "" }
            kept = [RUNS_MAX, RUNS_SECONDS, MARK_SECONDS]
            words = [lock, name, texts[0], mark ? mark["tick"] : 0, texts[1], *kept, time.to_s, *job]
            Place.run(DECIDE, keys, words.map(&:to_s)).to_sym
          end

          # Adds to the records of a schedule's runs.
          def add(name, text)
            Place.redis.lpush(Place.runs(name), text)
            Place.redis.ltrim(Place.runs(name), 0, RUNS_MAX - 1)
            Place.redis.expire(Place.runs(name), RUNS_SECONDS)
          end

          # @return [Hash] what became of a time, as the server writes it of its own schedules
          def record(outcome, tick, now, **more)
            { outcome: outcome, tick: tick && iso(tick), at: iso(now), **more }.compact
          end

          private

          def iso(millis)
            Time.at(millis / 1_000, millis % 1_000, :millisecond).utc.iso8601(3)
          end

          def parsed(text)
            mark = text && JSON.parse(text)
            mark.is_a?(Hash) ? mark : {}
          rescue JSON::ParserError
            {}
          end
        end
      end
    end
  end
end
