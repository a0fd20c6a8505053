# frozen_string_literal: true

module Mawashi
  module Children
    # The jobs that wait in a child: a queue for each lane. A lane has threads of its own, which take from its
    # queue alone, so that the jobs of no capsule run in the slots of another.
    class Lanes
      # A job's id ends in its lane.
      MASK = 0xffff
      private_constant :MASK

      # @return [Array<Thread::Queue>] for each thread the one that it takes jobs from
      attr_reader :queues

      # @param threads [Array<Integer>] how many each lane has
      # @example
      #   Mawashi::Children::Lanes.new([2, 1]).threads_of(1) #=> [2]
      def initialize(threads)
        @lanes = threads.map { Thread::Queue.new }
        @of_threads = threads.each_with_index.flat_map { |count, lane| [lane] * count }
        @queues = @of_threads.map { |lane| @lanes[lane] }
      end

      # @param id [Integer] of a job
      # @return [Thread::Queue] where it waits
      def queue(id)
        @lanes[id & MASK]
      end

      # @return [Array<Integer>] numbers of a lane's threads
      def threads_of(lane)
        @of_threads.each_index.select { |number| @of_threads[number] == lane }
      end

      # Whether no job waits.
      def empty?
        @lanes.all?(&:empty?)
      end

      # Takes all out that wait.
      #
      # @return [Array<Integer>] their ids
      def take_all
        @lanes.each_with_object([]) do |jobs, ids|
          loop { ids << jobs.pop(true).first }
        rescue ThreadError
          # This one is empty.
        end
      end
    end
  end
end
