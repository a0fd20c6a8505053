# frozen_string_literal: true

require "mawashi/boot"
require "mawashi/children/at_once"
require "mawashi/children/birth"
require "mawashi/children/first_child"
require "mawashi/children/link"
require "mawashi/children/report"
require "mawashi/children/streams"
require "mawashi/children/tie"
require "mawashi/class_options"
require "mawashi/own_frames"
require "mawashi/own_signals"

module Mawashi
  module Children
    # The process that loads the app once and forks the children that run its jobs, so that they share
    # what was loaded. It does what the server asks over its link and ends with it.
    class Parent
      SIGNALS = %w[INT TERM TSTP TTIN USR1 USR2 HUP].freeze

      # @param path [String] of the server's Unix socket
      def initialize(path)
        @path = path
        @link = Link.connect(path, "P")
        @children = {}
      end

      # Loads the app, says so, and serves until the server is gone or asks it to end.
      #
      # @param given [Array<Array(String, String)>] flags of {Boot.call} with their values as text; queues come
      #   one by one as `name,weight`
      def run(given)
        sidekiq = boot(given) or return
        @pid = Process.pid
        on_child_end
        warm_up(sidekiq) unless given.assoc("files")
        Report.write(@link, sidekiq)
        AtOnce.ended { serve(sidekiq) }
      end

      private

      def boot(given)
        flags = given.to_h { |name, value| [name.to_sym, value] }
        flags[:concurrency] = Integer(flags[:concurrency]) if flags[:concurrency]
        flags[:timeout] = Float(flags[:timeout]) if flags[:timeout]
        queues = given.select { |name,| name == "queue" }.to_h do |_, queue|
          name, _, weight = queue.rpartition(",")
          [name, Integer(weight)]
        end
        flags.delete(:queue)
        flags[:queues] = queues unless queues.empty?
        flags[:accept] = given.select { |name,| name == "accept" }.map(&:last)
        Boot.call(flags, flags.delete(:redis)).tap { check_streams }
      rescue Exception => e # rubocop:disable Lint/RescueException -- reported to the server, which ends
        @link.write("Y", explanation(e, given.to_h["require"] || "the app"))
        nil
      end

      def check_streams
        Streams.let_fork
        return unless STDOUT.closed? || STDERR.closed?

        raise Error, "the app has closed its standard #{STDOUT.closed? ? "output" : "error"} while it was loaded: " \
                     "have it reopened instead, such as to File::NULL"
      end

      def explanation(error, app)
        # What Mawashi itself says names the file or flag that it is about.
        named = error.message.b
        named = "cannot load #{app.b}: #{error.class}: ".b << named unless error.is_a?(Error)
        places = OwnFrames.without(error.backtrace || []).grep_v(/\A<internal:/)
        [named, *places.first(3).map { |line| "    at #{line}" }].map(&:b).join("\n")
      end

      # Nothing that children share may be a connection, and what they share should stay shared.
      def warm_up(sidekiq)
        sidekiq.close_connections
        return Process.warmup if Process.respond_to?(:warmup)

        GC.start
        GC.compact if GC.respond_to?(:compact)
      rescue NotImplementedError # on this platform
      end

      def on_child_end
        @ended, @waker = IO.pipe
        trap("CHLD") { @waker.write_nonblock(".", exception: false) }
        SIGNALS.each { |name| take_back(name) }
      end

      # What the app has trapped while it was loaded is the server's to handle, as it is on JRuby.
      def take_back(signal)
        before = trap(signal) {}
        OwnSignals.warn_of(signal) if before.is_a?(Proc) && !before.source_location&.first&.end_with?("/children/main.rb")
      end

      def serve(sidekiq)
        loop do
          ready, = IO.select([@link, @ended])
          reap if ready.include?(@ended)
          next unless ready.include?(@link)

          kind, body = @link.read
          next ClassOptions.answer(@link, body, sidekiq) if kind == "o"

          exit!(0) unless kind == "F"
          fork_child(sidekiq, *body.unpack("NaCN*"))
        end
      end

      def reap
        @ended.read_nonblock(1_000, exception: false)
        @children.keys.each do |pid|
          _, status = Process.wait2(pid, Process::WNOHANG)
          next unless status

          number = @children.delete(pid)
          @link.write("O", [number, pid, status.termsig || 0, status.exitstatus || 0].pack("NNNN"))
        end
      end

      # Only once the app is loaded, which may have the resque gem.
      def resque_app(sidekiq)
        require "mawashi/resque/app"
        Resque::App.new(sidekiq)
      end

      # @param kind [String] see {Birth}, as lanes; "S" when the child is to learn later what it runs
      # @param resque [Integer] 1 when the child is to run Resque's jobs
      def fork_child(sidekiq, number, kind, resque, *lanes)
        parent = @pid
        pid = fork do
          trap("CHLD", "DEFAULT")
          [@link, @ended, @waker].each(&:close)
          Tie.to(parent)
          Streams.lead_to_server(@path, number)
          _, kind, resque, *lanes = FirstChild.new(@path, number).start_up(sidekiq).unpack("NaCN*") if kind == "S"
          Birth.new(path: @path, number: number, kind: kind, lanes: lanes).run(resque == 1 ? resque_app(sidekiq) : sidekiq)
        end
        @children[pid] = number
      end
    end
  end
end
