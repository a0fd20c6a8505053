# frozen_string_literal: true

module Sidekiq
  # Names of what a middleware raises that has seen to a failure itself.
  class JobRetry
    # The job is done for the server; error handlers are told of what caused it.
    class Handled < ::RuntimeError; end

    # The job is done for the server, and nobody is to be told.
    class Skip < Handled; end
  end
end
