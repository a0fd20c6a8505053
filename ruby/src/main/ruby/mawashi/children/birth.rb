# frozen_string_literal: true

require "mawashi/children/at_once"
require "mawashi/children/child"
require "mawashi/children/forker"
require "mawashi/children/link"
require "mawashi/children/own_end"
require "mawashi/children/running_marks"
require "mawashi/children/streams"
require "mawashi/children/tie"
require "mawashi/database_pools"
require "mawashi/native"

module Mawashi
  module Children
    # What a process does that was just forked: ties itself to its parent, connects to the server, and works.
    class Birth
      # @param path [String] of the server's Unix socket
      # @param number [Integer] its place among the children
      # @param kind [String] "T": its threads run jobs. "F": it forks for each
      # @param lanes [Array<Integer>] jobs of each capsule that run at once
      # @param parent [Integer] pid of the process that forked it
      def initialize(path:, number:, kind:, lanes:, parent:)
        @path = path
        @number = number
        @kind = kind
        @lanes = lanes
        @threads = lanes.sum
        @parent = parent
      end

      # Returns when the server has ended this child.
      def run(sidekiq)
        Tie.to(@parent)
        redirect
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

      # What the child prints goes to the server; there is nothing to read for it. The app may have put something else
      # in the place of `$stdout`.
      def redirect
        { "O" => STDOUT, "E" => STDERR }.each do |role, stream|
          to_server = Link.connect(@path, role, @number).to_io
          # For writing only, as jobs know it.
          stream.reopen(IO.for_fd(to_server.fileno, "w", autoclose: false))
          to_server.close
        end
        Streams.sync
        $stdin.reopen(File::NULL)
      end

      def marks
        RunningMarks.open(File.join(File.dirname(@path), "marks-#{Process.pid}"), @threads)
      end
    end
  end
end
