# frozen_string_literal: true

require "mawashi/cron/jobs"
require "mawashi/cron/notes"
require "mawashi/cron/tick"

module Mawashi
  module Cron
    # Enqueues jobs of the gem's schedules that operators ask for, by the gem's own code. The requests are texts in a
    # list, an id and a schedule's key; each has its answer in a list of its own.
    module Asked
      REQUESTS = "mw:cron:asked"
      ANSWER = "mw:cron:answer:"
      ANSWER_SECONDS = 60
      AT_ONCE = 10
      private_constant :REQUESTS, :ANSWER, :ANSWER_SECONDS, :AT_ONCE

      class << self
        # Answers those who wait.
        def serve
          AT_ONCE.times do
            request = ::Sidekiq.redis { |connection| connection.call("RPOP", REQUESTS) } or return
            id, key = request.split(" ", 2)
            answer(id, enqueue(key))
          end
        end

        private

        def enqueue(key)
          job = Jobs.find(key) or return "-the schedule is gone"
          return "-#{job.errors.join(", ")}" unless job.valid?

          Notes.enqueue(job)
          jid(job)
        rescue StandardError, ScriptError => e
          "-#{e.class}: #{e.message.lines.first&.chomp}"
        end

        # A job of another adapter may have none.
        def jid(job)
          return "+#{job.mawashi_jid}" if job.mawashi_jid || Tick.new(job, nil).elsewhere?

          job.mawashi_locked? ? "-an equal job holds its lock" : "-client middleware or a callback of the app kept it out"
        end

        def answer(id, text)
          ::Sidekiq.redis do |connection|
            connection.pipelined do |pipeline|
              pipeline.call("RPUSH", "#{ANSWER}#{id}", text)
              pipeline.call("EXPIRE", "#{ANSWER}#{id}", ANSWER_SECONDS)
            end
          end
        end
      end
    end
  end
end
