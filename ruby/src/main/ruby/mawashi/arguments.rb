# frozen_string_literal: true

module Mawashi
  # The number of arguments that apps' blocks and handlers want, which has grown with Sidekiq's versions.
  module Arguments
    # Calls with as many of the arguments as are wanted.
    #
    # @param callable [Proc, Method, #call]
    # @example
    #   Mawashi::Arguments.call(->(error) { puts error }, error, context)
    def self.call(callable, *args)
      code = callable.respond_to?(:parameters) ? callable : callable.method(:call)
      kinds = code.parameters.map(&:first)
      # A block takes what it wants by itself.
      takes_all = (code.is_a?(Proc) && !code.lambda?) || kinds.include?(:rest)
      callable.call(*(takes_all ? args : args.first(kinds.count { |kind| %i[req opt].include?(kind) })))
    end
  end
end
