# frozen_string_literal: true

require "sidekiq/job/interrupt_handler"
require "sidekiq/job/iterable"

module Sidekiq
  # Makes a class a job class whose jobs go through a sequence, one item after the other. When the server stops
  # they end after the item at hand, and go on there when they are run again.
  #
  # @example
  #   class NotifyAll
  #     include Sidekiq::IterableJob
  #     def build_enumerator(numbers, cursor:) = array_enumerator(numbers, cursor: cursor)
  #     def each_iteration(number, _numbers) = logger.info(number)
  #   end
  module IterableJob
    def self.included(job_class)
      job_class.include(Job)
      job_class.include(Job::Iterable)
    end
  end
end
