# frozen_string_literal: true

module Sidekiq
  module Middleware
    # Middleware in the order it wraps a job. Each is instantiated anew for every call.
    class Chain
      include Enumerable

      # A class of middleware and what it is made with.
      class Entry
        attr_reader :klass

        def initialize(config, klass, args)
          @config = config
          @klass = klass
          @args = args
        end

        def make_new
          middleware = @klass.new(*@args)
          middleware.config = @config if @config && middleware.respond_to?(:config=)
          middleware
        end
      end

      attr_reader :entries

      # @param config [Config, nil] given to each middleware that has a `config=`
      def initialize(config = nil)
        @config = config
        @entries = []
        yield self if block_given?
      end

      def initialize_copy(other)
        super
        @entries = other.entries.dup
      end

      def each(&block)
        entries.each(&block)
      end

      # @example
      #   chain.add(Timing, threshold: 5)
      def add(klass, *args)
        remove(klass)
        entries << entry(klass, args)
      end
      ruby2_keywords :add

      def prepend(klass, *args)
        remove(klass)
        entries.unshift(entry(klass, args))
      end
      ruby2_keywords :prepend

      # Puts a middleware before another, or first. One that is there already is moved.
      def insert_before(old, klass, *args)
        moved = take(klass) || entry(klass, args)
        entries.insert(position(old) || 0, moved)
      end
      ruby2_keywords :insert_before

      # Puts a middleware after another, or last. One that is there already is moved.
      def insert_after(old, klass, *args)
        moved = take(klass) || entry(klass, args)
        entries.insert((position(old) || (entries.size - 1)) + 1, moved)
      end
      ruby2_keywords :insert_after

      def remove(klass)
        entries.delete_if { |entry| entry.klass == klass }
      end

      def exists?(klass)
        !position(klass).nil?
      end
      alias include? exists?

      def empty?
        entries.empty?
      end

      def clear
        entries.clear
      end

      # New instances of all middleware.
      def retrieve
        map(&:make_new)
      end

      # Calls the middleware around the block; what a middleware yields twice runs twice.
      #
      # @example
      #   chain.invoke(job, payload, "default") { job.perform }
      def invoke(*args, &innermost)
        return yield if empty?

        call(retrieve, 0, args, innermost)
      end

      private

      def call(middleware, index, args, innermost)
        return innermost.call if index == middleware.size

        middleware[index].call(*args) { call(middleware, index + 1, args, innermost) }
      end

      def entry(klass, args)
        Entry.new(@config, klass, args)
      end

      def take(klass)
        index = position(klass)
        entries.delete_at(index) if index
      end

      def position(klass)
        entries.index { |entry| entry.klass == klass }
      end
    end
  end
end
