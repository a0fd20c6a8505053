# frozen_string_literal: true

require "mawashi/own_frames"

module Mawashi
  # The backtraces of all threads.
  module ThreadDump
    # A process reports no more of itself at once.
    BYTES_MAX = 256 << 10

    class << self
      # @return [Array<String>] for each thread that is in Ruby code its name and its backtrace, in lines
      def call
        threads = Thread.list.reject { |thread| thread == Thread.current }
        threads.filter_map do |thread|
          found = lines(thread)
          "#{thread.name || thread.inspect}:\n    #{found.join("\n    ")}" unless found.empty?
        end
      end

      # @param thread [Thread]
      # @return [Array<String>] its backtrace without Mawashi's own lines
      def lines(thread)
        OwnFrames.without(thread.backtrace.to_a)
      end

      # @param traces [Array<String>]
      # @return [String] all of them as bytes, as many as may be reported
      def text(traces)
        traces.join("\n").b.byteslice(0, BYTES_MAX)
      end
    end
  end
end
