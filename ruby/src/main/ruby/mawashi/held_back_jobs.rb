# frozen_string_literal: true

module Mawashi
  # Has the app's gems enqueue nothing, in a process that only tries to load the app. What goes through the shipped API
  # goes to the server, which drops it.
  module HeldBackJobs
    # Goes before the methods of Sidekiq::Client.
    module OfSidekiq
      private

      def raw_push(_payloads)
        true
      end
    end

    # Goes before the methods of Resque.
    module OfResque
      def push(*)
        true
      end

      # Of resque-scheduler.
      def delayed_push(*)
        true
      end
    end

    # Call it again when more is loaded.
    def self.hold
      if defined?(::Sidekiq::Client) && ::Sidekiq::Client.private_method_defined?(:raw_push)
        ::Sidekiq::Client.prepend(OfSidekiq)
      end
      ::Resque.singleton_class.prepend(OfResque) if defined?(::Resque) && ::Resque.respond_to?(:push)
    end
  end
end
