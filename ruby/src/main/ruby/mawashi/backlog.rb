# frozen_string_literal: true

module Mawashi
  # The jobs of one Redis that wait in this process until it answers. While some wait, others are put behind them without
  # a try, so that nobody waits for a time limit of the network but the first; a thread tries again and again.
  #
  # Threads may share it. A forked process begins without what its parent has: that is the parent's to send.
  class Backlog
    # Jobs that wait at most.
    MAX = 1_000

    # Seconds between two tries.
    PAUSE = 0.5

    # Payloads that are stored together, and the means to do so.
    Waiting = Struct.new(:payloads, :sender)
    private_constant :Waiting

    # @param unreachable [#call] whether an error says that Redis stores nothing now
    # @param log [Logger]
    def initialize(unreachable, log)
      @unreachable = unreachable
      @log = log
      @lock = Mutex.new
      @sending = Mutex.new
      begin_anew
    end

    # @return [Integer] jobs that wait
    def size
      @lock.synchronize { @waiting.sum { |one| one.payloads.size } }
    end

    # Stores jobs now, or keeps them for later.
    #
    # @param payloads [Array<Hash>]
    # @yieldparam payloads [Array<Hash>] to be stored, which may be changed
    # @raise [StandardError] what the block raises, when Redis can be reached or too many jobs wait
    def push(payloads, &sender)
      one = Waiting.new(payloads, sender)
      return true if @lock.synchronize { !waiting.empty? && keep(checked(one), @error) }

      attempt(one)
      true
    rescue StandardError => e
      raise unless @unreachable.call(e)

      @lock.synchronize { keep(one, e) }
    end

    # The process ends: tries once more.
    def leave
      return if @lock.synchronize { waiting.empty? }

      send_all
    rescue StandardError => e
      @log.error("kept jobs that could not be enqueued and are lost: #{size} (#{e.message})")
    end

    private

    def begin_anew
      @pid = Process.pid
      @waiting = []
      @error = nil
      @thread = nil
    end

    # Called with the lock.
    def waiting
      begin_anew unless @pid == Process.pid
      @waiting
    end

    # One that no JSON can hold, or whose lock is none, must not stand before the others: the app hears of it at once.
    def checked(one)
      one.payloads.each do |payload|
        Sidekiq.dump_json(payload)
        UniqueLock.of(payload.dup) if defined?(Unique)
      end
      one
    end

    # Called with the lock.
    def keep(one, error)
      raise error if waiting.sum { |other| other.payloads.size } + one.payloads.size > MAX

      if @waiting.empty?
        @log.warn("Redis does not answer, so up to #{MAX} jobs are kept in memory until it does: #{error.message}")
      end
      @error = error
      @waiting << one
      @thread ||= Thread.new { drain }
      true
    end

    def drain
      Thread.current.name = "mawashi-push"
      loop do
        sleep(PAUSE)
        send_all
        break if @lock.synchronize { over? }
      rescue StandardError => e
        @lock.synchronize { @error = e }
      end
    end

    # Called with the lock by the thread: whoever keeps a job after that starts another one.
    def over?
      @thread = nil if waiting.empty?
      @thread.nil?
    end

    # @raise [StandardError] what sending raises
    def send_all
      count = 0
      @sending.synchronize do
        while (one = @lock.synchronize { waiting.first })
          attempt(one)
          count += one.payloads.size
          @lock.synchronize { @waiting.shift }
        end
      end
    ensure
      @log.warn("Redis answers; kept jobs that are enqueued now: #{count}") if count.positive?
    end

    # The client takes fields out of the payloads that it stores.
    def attempt(one)
      one.sender.call(one.payloads.map(&:dup))
    end
  end
end
