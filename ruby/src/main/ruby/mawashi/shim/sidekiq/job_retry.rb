# frozen_string_literal: true

module Sidekiq
  # Names of what a middleware raises that has seen to a failure itself.
  class JobRetry
    # The job is done for the server; error handlers hear of what caused it.
    class Handled < ::RuntimeError; end

    # The job is done for the server, and nobody is to hear of it.
    class Skip < Handled; end
  end
end
