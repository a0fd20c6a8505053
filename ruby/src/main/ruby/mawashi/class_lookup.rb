# frozen_string_literal: true

module Mawashi
  # Finds a class by the name a payload gives. Whoever can write to Redis chooses that name, so it
  # is checked before anything is looked up, and only what the app itself defined is found.
  module ClassLookup
    NAME = /\A(?:::)?\p{Upper}[\p{Word}]*(?:::\p{Upper}[\p{Word}]*)*\z/
    NAME_BYTES_MAX = 1_000
    # What ActiveJob's jobs are enqueued as: by Rails' own adapter, and by Sidekiq 8's.
    WRAPPERS = %w[ActiveJob::QueueAdapters::SidekiqAdapter::JobWrapper Sidekiq::ActiveJob::Wrapper].freeze
    private_constant :NAME, :WRAPPERS

    class << self
      # Finds the job class of that name.
      #
      # @raise [NameError] when there is none, or when it is something else
      # @example
      #   Mawashi::ClassLookup.job_class("::Sums::AddJob")
      def job_class(name)
        found = WRAPPERS.include?(name) ? wrapper(name) : constant(name)
        return found if found.is_a?(Class) && found.include?(Sidekiq::Job)

        refuse("#{name} is not a job class (it does not include Sidekiq::Job)")
      end

      # Raises without a place of ours, of which Ruby would quote the source in the message.
      #
      # @raise [NameError]
      def refuse(text, type = NameError)
        raise type, text, caller
      end

      # Finds a constant through the names the app defined: segment by segment, with autoload, but
      # never inherited and never by `const_missing`, which would reach Java's packages.
      def constant(name)
        find(name) { |missing| refuse("uninitialized constant #{missing}") }
      end

      # The class whose blocks count: ActiveJob's wrapper is the job's class, the one that it wraps has the blocks.
      def with_blocks(job_class, job)
        job["wrapped"].is_a?(String) ? constant(job["wrapped"]) : job_class
      end

      # @return [Array<String>] names of the job classes that are loaded by now
      def loaded_names
        found = ObjectSpace.each_object(Class).select { |type| type.name && type.include?(Sidekiq::Job) }
        found.map(&:name).sort
      end

      private

      # The app that enqueues may have another sidekiq gem than this one. Its wrapper does the same.
      def wrapper(name)
        find(name) || find((WRAPPERS - [name]).first) || constant(name)
      end

      # Yields the name as far as its first segment that is not there.
      def find(name)
        check(name)
        segments = name.delete_prefix("::").split("::")
        segments.each_with_index.inject(Object) do |scope, (segment, index)|
          unless scope.is_a?(Module) && scope.const_defined?(segment, false)
            return block_given? ? yield(segments.first(index + 1).join("::")) : nil
          end

          scope.const_get(segment, false)
        end
      end

      def check(name)
        return if name.bytesize <= NAME_BYTES_MAX && name.valid_encoding? && NAME.match?(name)

        shown = name.byteslice(0, 100).scrub.inspect
        refuse("wrong constant name #{shown} (#{name.bytesize} bytes)")
      end
    end
  end
end
