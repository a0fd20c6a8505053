# frozen_string_literal: true

module Mawashi
  # Commands on a connection of the app's that puts a namespace before all keys. The gem redis-namespace does so in the
  # methods that it knows, and hands on `call` as it is.
  class NamespacedCalls
    # @param connection [Object] of redis-client, redis or redis-namespace
    # @return [Object] one whose `call` and `pipelined` use the keys that the app's own commands use
    # @example
    #   Sidekiq.redis { |connection| NamespacedCalls.on(connection).call("SMEMBERS", "queues") }
    def self.on(connection)
      return connection unless namespaced?(connection)

      new(below(connection), "#{connection.full_namespace}:")
    end

    # @return [Object] the connection itself
    def self.below(connection)
      connection = connection.redis while namespaced?(connection)
      connection
    end

    # Asked by class: it claims to understand whatever the connection does.
    def self.namespaced?(connection)
      defined?(::Redis::Namespace) && ::Redis::Namespace === connection # rubocop:disable Style/CaseEquality
    end

    # @param connection [Object] below the namespace
    # @param prefix [String]
    def initialize(connection, prefix)
      @connection = connection
      @prefix = prefix
    end

    # @param verb [String] of a command that names its key first, or of one that runs a script
    def call(verb, *words)
      first, count = verb.start_with?("EVAL") ? [2, words[1].to_i] : [0, 1]
      count.times { |index| words[first + index] = "#{@prefix}#{words[first + index]}" }
      @connection.call(verb, *words)
    end

    # @yieldparam pipeline [NamespacedCalls]
    def pipelined
      @connection.pipelined { |pipeline| yield NamespacedCalls.new(pipeline, @prefix) }
    end
  end
end
