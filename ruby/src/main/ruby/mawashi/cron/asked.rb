# frozen_string_literal: true

require "mawashi/error"
require "mawashi/namespaced_calls"

module Mawashi
  module Cron
    # Enqueues jobs of a gem's schedules that operators ask for, by the gem's own code. The requests are texts in a list,
    # an id and the schedule; each has its answer in a list of its own.
    module Asked
      ANSWER = "mw:cron:answer:"
      ANSWER_SECONDS = 60
      AT_ONCE = 10
      private_constant :ANSWER, :ANSWER_SECONDS, :AT_ONCE

      class << self
        # Answers those who wait.
        #
        # @param requests [String] the list
        # @param pool [#call] lends a connection to Redis to a block
        # @yieldparam schedule [String]
        # @yieldreturn [String, nil] the jid; nil when a middleware has stopped the job
        # @raise [Error] in the block, with the reason why there is none
        def serve(requests, pool = ::Sidekiq.method(:redis))
          AT_ONCE.times do
            request = pool.call { |connection| NamespacedCalls.on(connection).call("RPOP", requests) } or return
            id, schedule = request.split(" ", 2)
            answer(pool, "#{ANSWER}#{id}", said { yield schedule })
          end
        end

        private

        def said
          "+#{yield}"
        rescue Error => e
          "-#{e.message}"
        rescue StandardError, ScriptError => e
          "-#{e.class}: #{e.message.lines.first&.chomp}"
        end

        def answer(pool, key, text)
          pool.call do |connection|
            NamespacedCalls.on(connection).pipelined do |pipeline|
              pipeline.call("RPUSH", key, text)
              pipeline.call("EXPIRE", key, ANSWER_SECONDS)
            end
          end
        end
      end
    end
  end
end
