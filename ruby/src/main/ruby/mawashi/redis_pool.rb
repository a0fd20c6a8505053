# frozen_string_literal: true

require "mawashi/redis_driver"

module Mawashi
  # Connections for the app's own use, opened as they are needed. Any thread may ask for one; a
  # thread that has one gets the same again.
  class RedisPool
    WAIT_S = 1
    # The errors of a server that has become a replica, or has let a blocked client go.
    MOVED = /READONLY|NOREPLICAS|UNBLOCKED/.freeze
    private_constant :WAIT_S, :MOVED

    # @return [Integer] most connections at once
    attr_reader :size

    # Lends a connection of any pool, and once more when its server has lost its role meanwhile.
    #
    # @param pool [#with]
    # @example
    #   Mawashi::RedisPool.lend(pool) { |connection| connection.call("PING") }
    def self.lend(pool)
      pool.with do |connection|
        tried ||= false
        yield connection
      rescue => e
        raise if tried || !MOVED.match?(e.message)

        tried = true
        connection.close
        retry
      end
    end

    # @param open [Proc] makes a connection
    def initialize(size, &open)
      @size = size
      @open = open
      @key = :"mawashi_redis_#{object_id}"
      @lock = Mutex.new
      @returned = ConditionVariable.new
      forget
    end

    # Lends a connection for the time of the block.
    #
    # @raise [Mawashi::Error] when all are lent and none comes back within a second
    # @example
    #   pool.with { |connection| connection.call("PING") }
    def with
      lent = Thread.current[@key]
      return yield lent if lent && @pid == Process.pid

      begin
        connection = Thread.current[@key] = take
        result = yield connection
        is_intact = true
        result
      ensure
        Thread.current[@key] = nil
        give_back(connection, is_intact) if connection
      end
    end

    private

    # A forked process must not speak on its parent's connections.
    def forget
      @pid = Process.pid
      @idle = []
      @lent = 0
    end

    def take
      @lock.synchronize do
        forget if @pid != Process.pid
        wait if @lent >= @size
        @lent += 1
        @idle.pop || open_one
      end
    end

    def open_one
      @open.call
    rescue Exception # rubocop:disable Lint/RescueException -- raised again
      @lent -= 1
      raise
    end

    def wait
      deadline = now + WAIT_S
      while @lent >= @size
        left = deadline - now
        raise Error, "all #{@size} Redis connections are in use (set more with config.redis = { size: })" if left <= 0

        @returned.wait(@lock, left)
      end
    end

    # Where the block was left early, a reply may still be on its way, so the connection starts anew.
    def give_back(connection, is_intact)
      connection.close unless is_intact
    ensure
      @lock.synchronize do
        @lent -= 1
        @idle << connection
        @returned.signal
      end
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
