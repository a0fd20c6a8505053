# frozen_string_literal: true

module Sidekiq
  module Middleware
    # Middleware in the order it wraps a job. Each is instantiated anew for every call.
    class Chain
      Entry = Struct.new(:klass, :args) do
        def make_new
          klass.new(*args)
        end
      end

      attr_reader :entries

      def initialize
        @entries = []
      end

      # @example
      #   chain.add(Timing, threshold: 5)
      def add(klass, *args)
        remove(klass)
        @entries << Entry.new(klass, args)
      end

      def prepend(klass, *args)
        remove(klass)
        @entries.unshift(Entry.new(klass, args))
      end

      def insert_before(old, klass, *args)
        remove(klass)
        @entries.insert(index(old) || 0, Entry.new(klass, args))
      end

      def insert_after(old, klass, *args)
        remove(klass)
        @entries.insert((index(old) || (@entries.size - 1)) + 1, Entry.new(klass, args))
      end

      def remove(klass)
        @entries.delete_if { |entry| entry.klass == klass }
      end

      def exists?(klass)
        !index(klass).nil?
      end

      def empty?
        @entries.empty?
      end

      def clear
        @entries.clear
      end

      # Calls the middleware around the block.
      #
      # @example
      #   chain.invoke(job, payload, "default") { job.perform }
      def invoke(*args, &innermost)
        @entries.map(&:make_new).reverse.inject(innermost) do |inner, middleware|
          -> { middleware.call(*args, &inner) }
        end.call
      end

      private

      def index(klass)
        @entries.index { |entry| entry.klass == klass }
      end
    end
  end
end
