# frozen_string_literal: true

module Sidekiq
  # The number of jobs that run at once, and their queues.
  class Capsule
    attr_reader :name
    # Jobs that run at once.
    attr_accessor :concurrency
    # Weight of each queue, by name, 0 where none was given.
    attr_reader :weights

    def initialize(name, concurrency)
      @name = name
      @concurrency = concurrency
      self.queues = ["default"]
    end

    # Names, in the order given.
    def queues
      @weights.keys
    end

    # @example
    #   capsule.queues = %w[critical default]
    #   capsule.queues = ["critical,2", ["default", 1]]
    def queues=(queues)
      @weights = Array(queues).to_h do |queue|
        name, weight = queue.is_a?(Array) ? queue : queue.to_s.split(",")
        [name.to_s, weight.to_i]
      end
    end

    # @return [Symbol] :strict when no queue has a weight, :random when all have 1, or :weighted
    def mode
      return :strict if weights.values.all?(0)

      weights.values.all?(1) ? :random : :weighted
    end
  end
end
