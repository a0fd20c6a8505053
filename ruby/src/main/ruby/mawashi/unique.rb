# frozen_string_literal: true

require "digest/sha2"
require "sidekiq"
require "mawashi/gem_client"
require "mawashi/redis_pool"
require "mawashi/unique_lock"
require "mawashi/unique_push"

module Mawashi
  # Keeps an app from enqueueing a job twice while the first waits or runs: Sidekiq Enterprise's `unique_for` for any
  # sidekiq gem and for the shipped API. The server frees the locks.
  #
  # @example in an initializer
  #   require "mawashi/unique"
  #   Sidekiq::Enterprise.unique! unless Rails.env.test?
  module Unique
    # Names the thread's list of jids that were kept out.
    KEPT_OUT = :mawashi_kept_out
    NONE = [].freeze
    private_constant :KEPT_OUT, :NONE

    # Goes before the client's own methods.
    module Sending
      def push(item)
        jid, kept_out = Unique.noting { super }
        kept_out.include?(jid) ? nil : jid
      end

      def push_bulk(items)
        jids, kept_out = Unique.noting { super }
        return jids if kept_out.empty?

        Unique.nils? ? jids.map { |jid| jid unless kept_out.include?(jid) } : jids - kept_out
      end

      private

      def raw_push(payloads)
        return super if Unique.none?(payloads)

        locked, others = payloads.partition { |job| UniqueLock.wanted?(job) }
        super(others) unless others.empty?
        Unique.kept_while_away(@redis_pool, locked) { |jobs| push_locked(jobs) }
        true
      end

      def push_locked(jobs)
        entries = jobs.map { |job| UniquePush::Entry.new(UniqueLock.of(job), *stored_form(job)) }
        push = UniquePush.new(entries)
        pool = @redis_pool || (@config.redis_pool unless Native.connected?)
        kept_out = pool ? RedisPool.lend(pool) { |connection| push.through(connection) } : push.through_server
        Unique.keep_out(jobs.zip(entries).filter_map { |job, entry| [job, kept_out[entry.lock]] if kept_out[entry.lock] })
      end

      # As this client writes it, also in its times.
      def stored_form(job)
        return entry(job) unless respond_to?(:atomic_push, true)

        recorder = GemClient::Recorder.new(job["queue"])
        atomic_push(recorder, [job])
        recorder.jobs.first
      end
    end

    class << self
      # Has all clients of this process take locks.
      #
      # @return [Boolean] that it is on
      def install
        Sidekiq::Client.prepend(Sending) unless Sidekiq::Client.include?(Sending)
        true
      end

      # Whether none of these jobs asks for a lock, or nothing goes to Redis: the app is tested, or its load is tried.
      def none?(payloads)
        return true if defined?(HeldBackJobs) || (defined?(Sidekiq::Testing) && Sidekiq::Testing.enabled?)

        payloads.none? { |job| UniqueLock.wanted?(job) }
      end

      # Calls the block and returns its answer, and the jids of the jobs that were kept out meanwhile. Whoever notes
      # around it notes these too.
      def noting
        before = Thread.current[KEPT_OUT]
        Thread.current[KEPT_OUT] = NONE
        answer = yield
        [answer, Thread.current[KEPT_OUT]]
      ensure
        Thread.current[KEPT_OUT] = before && (before + Thread.current[KEPT_OUT])
      end

      # Whether a job was kept out since this thread began to note.
      def kept_out?
        Thread.current[KEPT_OUT].to_a.any?
      end

      # @param jobs [Array<Array(Hash, String)>] jobs that were kept out, each with the owner of the lock
      def keep_out(jobs)
        jobs.each do |job, owner|
          Sidekiq.logger.info("not enqueued, #{job["wrapped"] || job["class"]} is locked by jid=#{owner}")
        end
        kept_out = Thread.current[KEPT_OUT]
        Thread.current[KEPT_OUT] = kept_out + jobs.map { |job, _| job["jid"] } if kept_out
      end

      # Has jobs wait while Redis does not answer, where that was asked for after this.
      def kept_while_away(pool, jobs, &send)
        inner = defined?(ReliablePush) && Sidekiq::Client.include?(ReliablePush::Sending) && before_reliable_push?
        inner ? ReliablePush.backlog(pool).push(jobs, &send) : send.call(jobs)
      end

      # Whether `push_bulk` answers nil for a job that was not enqueued, as from Sidekiq 7.1 on.
      def nils?
        version = defined?(Sidekiq::VERSION) ? Sidekiq::VERSION.to_s : ""
        version.empty? || (version.split(".").map(&:to_i) <=> [7, 1]) >= 0
      end

      private

      def before_reliable_push?
        modules = Sidekiq::Client.ancestors
        modules.index(Sending) < modules.index(ReliablePush::Sending)
      end
    end
  end
end

# Enterprise's own, where it is loaded, stays.
module Sidekiq
  module Enterprise
    unless respond_to?(:unique!)
      def self.unique!
        Mawashi::Unique.install
      end
    end
  end
end
