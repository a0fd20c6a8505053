# frozen_string_literal: true

module Sidekiq
  module Job
    # Raised by a job that has ended early and is to be run again.
    class Interrupted < ::RuntimeError; end
  end
end
