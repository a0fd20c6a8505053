# frozen_string_literal: true

require "mawashi/namespaced_calls"

module Mawashi
  # The jobs that servers have in hand, as Redis has them: claimed and not settled, or to be run alone. They are in no queue
  # and no set, and Sidekiq shows only those that ran at the last beat.
  module InHand
    SLICE = 100
    private_constant :SLICE

    class << self
      # Jobs move while it looks: one that comes back to a queue meanwhile may be left out.
      #
      # @return [Array<String>] what the gem sidekiq-unique-jobs calls their digests, of those that have one
      # @raise what Sidekiq's client raises when Redis does not answer
      def digests
        call("SMEMBERS", "mw:queues").flat_map { |queue| in_queue("mw:{queue:#{queue}}:") }
      end

      private

      # In the order in which jobs move on.
      def in_queue(place)
        owners = call("ZRANGE", "#{place}leases", "0", "-1")
        found = owners.flat_map { |owner| of(call("LRANGE", "#{place}arrivals:#{owner}", "0", "-1")) }
        owners.each { |owner| each_slice("#{place}inflight:#{owner}") { |payloads| found.concat(of(payloads)) } }
        found.concat(of(call("LRANGE", "#{place}suspects", "0", "-1")))
      end

      def each_slice(hash)
        cursor = "0"
        loop do
          cursor, fields = call("HSCAN", hash, cursor, "COUNT", SLICE.to_s)
          yield fields.each_slice(2).map(&:last)
          return if cursor == "0"
        end
      end

      def of(payloads)
        payloads.filter_map { |payload| digest(payload) }
      end

      # A field of ours beside the jobs, and what is no JSON, has none.
      def digest(payload)
        job = ::Sidekiq.load_json(payload)
        job["lock_digest"] || job["unique_digest"] if job.is_a?(Hash)
      rescue JSON::ParserError
        nil
      end

      def call(*command)
        ::Sidekiq.redis { |connection| NamespacedCalls.on(connection).call(*command) }
      end
    end
  end
end
