# frozen_string_literal: true

require "mawashi/own_frames"

module Mawashi
  # What Ruby code every thread is in.
  module ThreadDump
    # @return [Array<String>] for each thread that is in Ruby code its name and its backtrace, in lines
    def self.call
      threads = Thread.list.reject { |thread| thread == Thread.current }
      threads.filter_map do |thread|
        lines = OwnFrames.without(thread.backtrace.to_a)
        "#{thread.name || thread.inspect}:\n    #{lines.join("\n    ")}" unless lines.empty?
      end
    end
  end
end
