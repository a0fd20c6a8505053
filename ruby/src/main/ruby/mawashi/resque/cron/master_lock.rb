# frozen_string_literal: true

require "mawashi/resque/cron/place"
require "securerandom"
require "socket"

module Mawashi
  module Resque
    module Cron
      # The lock of resque-scheduler's master, held as the gem holds it (lock/resilient.rb): whoever finds none sets it,
      # and keeps setting its end. So while one of ours has it a resque-scheduler stands by, and the other way round.
      # The gem's value is host and pid; ours begins with a word that the mover of delayed jobs knows.
      class MasterLock
        # So long after a server has died another process takes it.
        TTL_MS = 15_000

        # KEYS  1 the lock
        # ARGV  1 value  2 ms until its end
        # Returns { 'fresh' when it is ours now, 'ours' when it was, 'mawashi' or 'theirs' when it is another's,
        # seconds, microseconds }.
        TAKE = <<~LUA
          #!lua
          local time = redis.call('TIME')
          local owner = redis.call('GET', KEYS[1])
          local word = 'theirs'
          if not owner then
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
            word = 'fresh'
          elseif owner == ARGV[1] then
            -- Not each time: those who look at delayed jobs hear of each change.
            if redis.call('TTL', KEYS[1]) < ARGV[2] / 2000 then
              redis.call('PEXPIRE', KEYS[1], ARGV[2])
            end
            word = 'ours'
          elseif string.sub(owner, 1, 8) == 'mawashi:' then
            word = 'mawashi'
          end
          return { word, time[1], time[2] }
        LUA

        # KEYS  1 the lock
        # ARGV  1 value
        LEAVE = <<~LUA
          #!lua
          return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0
        LUA
        private_constant :TTL_MS, :TAKE, :LEAVE

        # @return [String] no other server's. Children have it from their parent, and take turns: when one has died the next
        #   goes on at once
        attr_reader :value

        # @return [Integer] Redis's clock when the lock was looked at, ms since 1970
        attr_reader :now

        def initialize
          @value = "mawashi:#{Socket.gethostname}:#{Process.pid}:#{SecureRandom.hex(6)}"
        end

        # @return [Symbol] :fresh, :ours, :mawashi or :theirs
        def take
          word, seconds, micros = Place.run(TAKE, [Place.master_lock], [value, TTL_MS.to_s])
          @now = (seconds.to_i * 1_000) + (micros.to_i / 1_000)
          @is_held = %w[fresh ours].include?(word)
          word.to_sym
        end

        # Lets another one take it.
        def leave
          Place.run(LEAVE, [Place.master_lock], [value]) if @is_held
          @is_held = false
        end
      end
    end
  end
end
