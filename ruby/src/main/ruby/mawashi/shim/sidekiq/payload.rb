# frozen_string_literal: true

require "securerandom"

module Sidekiq
  # Makes payloads in the form of Sidekiq 8 and refuses what cannot be one.
  module Payload
    NATIVE = [Integer, Float, String, TrueClass, FalseClass, NilClass].freeze
    # Options for the push and not for the job.
    TRANSIENT = %w[pool client_class].freeze
    RETRY_FOR_MAX = 1_000_000_000
    private_constant :NATIVE, :TRANSIENT, :RETRY_FOR_MAX

    class << self
      # @param item [Hash] string keys; "class" and "args" at least
      # @return [Hash] the payload with all of its fields but `enqueued_at`
      # @raise [ArgumentError] when it is no job
      def build(item)
        validate(item)
        job = options_of(item).merge(item)
        raise ArgumentError, "Job must include a valid queue name" if job["queue"].nil? || job["queue"].to_s.empty?

        TRANSIENT.each { |name| job.delete(name) }
        job["jid"] ||= SecureRandom.hex(12)
        job["class"] = job["class"].to_s
        job["queue"] = job["queue"].to_s
        job["retry_for"] = job["retry_for"].to_i if job["retry_for"]
        job["created_at"] ||= now_ms
        job
      end

      # @raise [ArgumentError] when the arguments would not come back from JSON as they went in
      def verify_json(job)
        mode = Sidekiq.strict_args or return
        unsafe = unsafe(job["args"])
        return if unsafe.empty?

        message = "Job arguments to #{job["wrapped"] || job["class"]} must be native JSON types, " \
                  "but #{unsafe.first.inspect} is a #{unsafe.first.class} (see Sidekiq.strict_args!)"
        raise ArgumentError, message if mode == :raise

        warn(message)
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
        validate_options(item)
      end

      def validate_options(item)
        refuse("'at' must be a Numeric timestamp", item) if item.key?("at") && !item["at"].is_a?(Numeric)
        refuse("tags must be an Array", item) if item["tags"] && !item["tags"].is_a?(Array)
        is_instant = item["retry_for"] && item["retry_for"] > RETRY_FOR_MAX
        refuse("retry_for must be a relative amount of time, e.g. 48.hours", item) if is_instant
      end

      def refuse(problem, item)
        raise ArgumentError, "Job #{problem}: `#{item}`"
      end

      # The class's options, and over them those of the class that it wraps.
      def options_of(item)
        job_class = item["class"]
        wrapped = item["wrapped"]
        options = job_class.is_a?(Class) ? options_of_class(job_class) : Sidekiq.default_job_options
        wrapped.respond_to?(:get_sidekiq_options) ? options.merge(wrapped.get_sidekiq_options) : options
      end

      def options_of_class(job_class)
        return job_class.get_sidekiq_options if job_class.respond_to?(:get_sidekiq_options)

        raise ArgumentError, "#{job_class} does not include Sidekiq::Job"
      end

      # @return [Array] the first value that JSON has no form for, or nothing
      def unsafe(value)
        case value
        when Array then value.instance_of?(Array) ? first_unsafe(value) : [value]
        when Hash then value.instance_of?(Hash) ? unsafe_in_hash(value) : [value]
        else NATIVE.include?(value.class) ? [] : [value]
        end
      end

      def first_unsafe(values)
        values.each { |value| found = unsafe(value) and !found.empty? and return found }
        []
      end

      def unsafe_in_hash(hash)
        key = hash.keys.find { |name| !name.instance_of?(String) }
        key.nil? ? first_unsafe(hash.values) : [key]
      end
    end
  end
end
