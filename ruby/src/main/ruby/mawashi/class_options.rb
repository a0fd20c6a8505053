# frozen_string_literal: true

require "mawashi/class_lookup"

module Mawashi
  # The options that the app's classes have for their jobs, for jobs that the server itself enqueues: what
  # `perform_async` or `perform_later` would take from them.
  module ClassOptions
    # Each job has its own, or they are for the push alone. Locks are taken by the app's clients only.
    NOT_IN_JOBS = %w[class wrapped args queue jid at created_at enqueued_at pool client_class unique_for unique_until].freeze
    WRAPPER = "ActiveJob::QueueAdapters::SidekiqAdapter::JobWrapper"
    private_constant :NOT_IN_JOBS, :WRAPPER

    class << self
      # @param names [Array<String>] of classes
      # @return [String] a JSON array that has for each an object with `queue`, `options` and `active_job`, or with the
      #   `problem` that keeps them from being known
      def json(names)
        "[#{names.map { |name| text(name) }.join(",")}]"
      end

      # Answers the server's question to the process that has loaded the app.
      #
      # @param body [String] the question's number in eight bytes, names with a NUL between them
      def answer(link, body, sidekiq)
        number = body.byteslice(0, 8)
        names = body.byteslice(8, body.bytesize).force_encoding(Encoding::UTF_8).split("\0")
        text = json(names)
        # A class that was loaded just now may have opened one, which children must not share.
        sidekiq.close_connections
        link.write("o", number << text.b)
      end

      # @param options [Hash{String=>Object}]
      # @return [Hash{String=>Object}] those that a job's payload has
      def kept(options)
        transient = defined?(::Sidekiq::JobUtil::TRANSIENT_ATTRIBUTES) ? ::Sidekiq::JobUtil::TRANSIENT_ATTRIBUTES : []
        kept = options.reject { |name, _| NOT_IN_JOBS.include?(name) || transient.include?(name) }
        kept["retry_for"] = kept["retry_for"].to_i if kept["retry_for"]
        kept
      end

      private

      def text(name)
        Sidekiq.dump_json(of(name))
      rescue Exception => e # rubocop:disable Lint/RescueException -- the class's file was loaded, and no job waits for it
        line = e.message.b.lines.first.to_s.chomp.force_encoding(Encoding::UTF_8).scrub("?")
        Sidekiq.dump_json("problem" => "#{e.class}: #{line}")
      end

      def of(name)
        type = ClassLookup.constant(name)
        return active_job(type) if defined?(::ActiveJob::Base) && type.is_a?(Class) && type < ::ActiveJob::Base
        return { "problem" => "#{name} is not a job class" } unless type.respond_to?(:get_sidekiq_options)

        options = named(type)
        { "queue" => queue(options["queue"]), "options" => kept(options), "active_job" => false }
      end

      # The wrapper's options come first, as in a push. `queue_as` may have a block, which is asked for each job.
      def active_job(type)
        wrapper = ClassLookup.job_class(WRAPPER)
        options = named(wrapper).merge(type.respond_to?(:get_sidekiq_options) ? named(type) : {})
        { "queue" => queue(type.new.queue_name), "options" => kept(options), "active_job" => true }
      end

      def named(type)
        type.get_sidekiq_options.transform_keys(&:to_s)
      end

      def queue(name)
        name.to_s.empty? ? "default" : name.to_s
      end
    end
  end
end
