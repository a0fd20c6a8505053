# frozen_string_literal: true

module Mawashi
  # The jobs of one Redis that wait in this process until it answers. As long as it does not, others are put behind them
  # without a try, so that nobody waits for a time limit of the network but the first; a thread tries again and again.
  # A job that Redis refuses when it answers again, such as one whose queue is no list, holds up no other.
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
      return true if @lock.synchronize { waiting && @error && keep(checked(one), @error) }

      attempt(one)
      true
    rescue StandardError => e
      raise unless @unreachable.call(e)

      @lock.synchronize { keep(one, e) }
    end

    # The process ends: tries once more.
    def leave
      error = send_all
      @log.error("kept jobs that could not be enqueued and are lost: #{size} (#{error.message})") if error
    end

    private

    # There is an error as long as Redis does not answer.
    def begin_anew
      @pid = Process.pid
      @waiting = []
      @error = @refusal = @thread = nil
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

      unless @error
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
      end
    end

    # Called with the lock by the thread: whoever keeps a job after that starts another one.
    def over?
      @thread = nil if waiting.empty?
      @thread.nil?
    end

    # @return [StandardError, nil] why jobs are left, if some are
    def send_all
      count = 0
      refusals = []
      @sending.synchronize do
        while (one = @lock.synchronize { following(refusals.size) })
          error = send_one(one)
          return error if error && @unreachable.call(error)

          error ? refusals << error : count += one.payloads.size
        end
      end
      refusals.last
    ensure
      @log.warn("Redis answers; kept jobs that are enqueued now: #{count}") if count.positive?
    end

    # Called with the lock. Once all have had their try, Redis answers, and what the app enqueues does not wait.
    def following(place)
      waiting[place] || (@error = nil)
    end

    # @return [StandardError, nil] why it still waits
    def send_one(one)
      attempt(one)
      @lock.synchronize { @waiting.delete_if { |other| other.equal?(one) } }
      nil
    rescue StandardError => e
      return e if @unreachable.call(e) || @refusal == e.message

      @log.error("Redis refuses a kept job, which is tried again: #{@refusal = e.message}")
      e
    end

    # The client takes fields out of the payloads that it stores.
    def attempt(one)
      one.sender.call(one.payloads.map(&:dup))
    end
  end
end
