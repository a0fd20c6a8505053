# frozen_string_literal: true

require "mawashi/cron/marks"

module Mawashi
  module Cron
    # The gem's notes of the last times at which it enqueued a schedule's job, each with the job's jid. A job that was
    # kept out has none; where a lock did that, the note says so.
    module Notes
      # KEYS  1 the notes
      # ARGV  1 the note as the gem has written it  2 the note to stand in its place
      # Returns 1, or 0 when it is no longer the newest, which changes nothing.
      REPLACE = <<~LUA
        #!lua
        if redis.call('LINDEX', KEYS[1], 0) ~= ARGV[1] then
          return 0
        end
        redis.call('LSET', KEYS[1], 0, ARGV[2])
        return 1
      LUA
      private_constant :REPLACE

      # Has the gem enqueue a schedule's job.
      #
      # @param job [Sidekiq::Cron::Job]
      def self.enqueue(job)
        job.extend(self)
        send = -> { job.respond_to?(:enqueue!) ? job.enqueue! : job.enque! }
        defined?(Unique) ? Unique.noting(&send).first : send.call
      end

      # @return [String, nil] of the job that was enqueued
      attr_reader :mawashi_jid

      # Whether a lock kept it out.
      def mawashi_locked?
        @mawashi_locked ? true : false
      end

      # The gem's, which writes the note.
      def add_jid_history(jid)
        answer = super(@mawashi_jid = jid)
        @mawashi_locked = jid.nil? && defined?(Unique) && Unique.kept_out?
        mawashi_note_lock if mawashi_locked?
        answer
      end

      private

      # Where that fails, the note says that the job was kept out, and not by whom.
      def mawashi_note_lock
        note = { jid: nil, enqueued: @last_enqueue_time }
        words = [note, note.merge(outcome: "locked")].map { |one| ::Sidekiq.dump_json(one) }
        Marks.run(::Sidekiq.redis_pool, REPLACE, [jid_history_key], words)
      rescue StandardError
        nil
      end
    end
  end
end
