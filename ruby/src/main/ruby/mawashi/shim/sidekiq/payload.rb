# frozen_string_literal: true

require "json"
require "securerandom"

module Sidekiq
  # Makes payloads in the form of Sidekiq 8 and refuses what cannot be one.
  module Payload
    NATIVE = [Integer, Float, String, TrueClass, FalseClass, NilClass].freeze
    private_constant :NATIVE

    class << self
      # @param item [Hash] string keys; "class" and "args" at least
      # @return [Hash] the payload with all of its fields but `enqueued_at`
      # @raise [ArgumentError] when it is no job
      def build(item)
        validate(item)
        job = options_of(item["class"]).merge(item)
        job["class"] = item["class"].to_s
        job["queue"] = job["queue"].to_s
        raise ArgumentError, "Job must include a valid queue name" if job["queue"].empty?

        job["jid"] ||= SecureRandom.hex(12)
        job["created_at"] ||= now_ms
        job
      end

      # @raise [ArgumentError] when the arguments would not come back from JSON as they went in
      def verify_json(job)
        unsafe = job["args"].find { |value| !native?(value) }
        return if unsafe.nil?

        raise ArgumentError, "Job arguments to #{job["class"]} must be native JSON types, " \
                             "but #{unsafe.inspect} is a #{unsafe.class}"
      end

      def now_ms
        Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
      end

      # When a job is due that was asked for in so many seconds or at a time; nil means now.
      def due(interval)
        number = interval.to_f
        now = Time.now.to_f
        at = number < 1_000_000_000 ? now + number : number
        at if at > now
      end

      private

      def validate(item)
        keys = item.is_a?(Hash) && item.key?("class") && item.key?("args")
        refuse("must be a Hash with 'class' and 'args' keys", item) unless keys
        refuse("args must be an Array", item) unless item["args"].is_a?(Array)
        named = item["class"].is_a?(Class) || item["class"].is_a?(String)
        refuse("class must be either a Class or String representation of the class name", item) unless named
        refuse("'at' must be a Numeric timestamp", item) if item.key?("at") && !item["at"].is_a?(Numeric)
        refuse("tags must be an Array", item) if item["tags"] && !item["tags"].is_a?(Array)
      end

      def refuse(problem, item)
        raise ArgumentError, "Job #{problem}: `#{item}`"
      end

      def options_of(job_class)
        return Sidekiq.default_job_options unless job_class.is_a?(Class)
        return job_class.get_sidekiq_options if job_class.respond_to?(:get_sidekiq_options)

        raise ArgumentError, "#{job_class} does not include Sidekiq::Job"
      end

      def native?(value)
        case value
        when Array then value.instance_of?(Array) && value.all? { |element| native?(element) }
        when Hash then value.instance_of?(Hash) && value.all? { |k, v| k.instance_of?(String) && native?(v) }
        else NATIVE.include?(value.class)
        end
      end
    end
  end
end
