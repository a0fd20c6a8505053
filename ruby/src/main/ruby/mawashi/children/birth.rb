# frozen_string_literal: true

require "mawashi/children/child"
require "mawashi/children/link"
require "mawashi/children/running_marks"
require "mawashi/native"

module Mawashi
  module Children
    # What a process does that was just forked: ties itself to its parent, connects to the server, and works.
    class Birth
      PR_SET_PDEATHSIG = 1
      PRCTL = { "x86_64" => 157, "aarch64" => 167 }.freeze

      # @param path [String] of the server's Unix socket
      # @param number [Integer] its place among the children
      # @param threads [Integer] jobs that run at once
      # @param parent [Integer] pid of the process that forked it
      def initialize(path:, number:, threads:, parent:)
        @path = path
        @number = number
        @threads = threads
        @parent = parent
      end

      # Returns when the server has ended this child.
      def run(sidekiq)
        die_with_parent
        redirect
        link = Link.connect(@path, "C", @number)
        child = Child.new(link: link, sidekiq: sidekiq, marks: marks, threads: @threads)
        Native.connect(child.method(:enqueue), child.method(:iteration))
        sidekiq.fire(:startup)
        link.write("S")
        child.serve
        sidekiq.fire(:exit)
      end

      private

      # Also when it hangs in foreign code. Where the kernel cannot, the end of the link tells it.
      def die_with_parent
        number = PRCTL[RbConfig::CONFIG["host_cpu"]]
        syscall(number, PR_SET_PDEATHSIG, Signal.list["KILL"]) if number && RUBY_PLATFORM.include?("linux")
        exit!(1) if Process.ppid != @parent
      rescue NotImplementedError
        nil
      end

      # What the child prints goes to the server's log; there is nothing to read for it.
      def redirect
        out = Link.connect(@path, "O", @number).to_io
        $stdout.reopen(out)
        $stderr.reopen(out)
        $stdout.sync = $stderr.sync = true
        $stdin.reopen(File::NULL)
      end

      def marks
        RunningMarks.open(File.join(File.dirname(@path), "marks-#{Process.pid}"), @threads)
      end
    end
  end
end
