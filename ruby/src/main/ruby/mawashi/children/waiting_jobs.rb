# frozen_string_literal: true

require "mawashi/children/job_frame"

module Mawashi
  module Children
    # The jobs that a forker was sent and has not begun.
    class WaitingJobs
      # @param link [Link] takes those that are handed back
      def initialize(link)
        @link = link
        @jobs = []
        @leased_until = 0
      end

      # @param frame [String] of jobs
      def add(frame)
        @leased_until = JobFrame.until(frame)
        JobFrame.each(frame) { |job| @jobs << job }
      end

      # @return [Boolean] whether others may have them by now, see {Workers#leased_until=}
      def late?
        Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) > @leased_until
      end

      def empty?
        @jobs.empty?
      end

      # @return [Array] id, queue and payload
      def first
        @jobs.first
      end

      # Takes the first out.
      def shift
        @jobs.shift
      end

      # Hands all of them back.
      def give_back
        @link.write("B", @jobs.map(&:first).pack("Q>*"))
        @jobs.clear
      end
    end
  end
end
