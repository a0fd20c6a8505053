# frozen_string_literal: true

require "mawashi/children/at_once"
require "mawashi/children/child"
require "mawashi/children/forker"
require "mawashi/children/link"
require "mawashi/children/own_end"
require "mawashi/children/running_marks"
require "mawashi/children/streams"
require "mawashi/database_pools"
require "mawashi/native"

module Mawashi
  module Children
    # The start of a child that is tied to its parent and knows what it is to run: connects to the server, and works.
    class Birth
      # @param path [String] of the server's Unix socket
      # @param number [Integer] its place among the children
      # @param kind [String] "T": its threads run jobs. "F": it forks for each
      # @param lanes [Array<Integer>] jobs of each capsule that run at once
      def initialize(path:, number:, kind:, lanes:)
        @path = path
        @number = number
        @kind = kind
        @lanes = lanes
        @threads = lanes.sum
      end

      # Returns when the server has ended this child.
      def run(sidekiq)
        link = Link.connect(@path, "C", @number)
        folder = File.dirname(@path)
        DatabasePools.check(@threads) if @kind == "T" && first?(File.join(folder, "pools-#{@threads}"))
        sidekiq.lifecycle.take_turns(File.join(folder, "once"))
        sidekiq.fire(:startup)
        # Those blocks may have put others there.
        Streams.let_fork
        # Not before: those blocks may still add middleware.
        child = (@kind == "F" ? Forker : Child).new(link: link, sidekiq: sidekiq, marks: marks, lanes: @lanes)
        # Not before: nobody hears the server's answers until the child serves.
        Native.connect(child.method(:enqueue), child.method(:iteration))
        link.write("S")
        OwnEnd.hear { |signal| link.write("X", signal) } if @kind == "T"
        AtOnce.ended { child.serve }
        sidekiq.fire(:exit)
      end

      private

      # Whether this child makes the file, so that what concerns all is said once.
      def first?(path)
        File.open(path, File::WRONLY | File::CREAT | File::EXCL, 0o600).close
        true
      rescue Errno::EEXIST
        false
      end

      def marks
        RunningMarks.open(File.join(File.dirname(@path), "marks-#{Process.pid}"), @threads)
      end
    end
  end
end
