# frozen_string_literal: true

require "mawashi/children/job_frame"
require "mawashi/children/lanes"
require "mawashi/children/outcomes"
require "mawashi/children/requests"
require "mawashi/children/workers"
require "mawashi/cancelled"
require "mawashi/heap_dump"
require "mawashi/run_context"
require "mawashi/thread_dump"
require "mawashi/time_limit_exceeded"

module Mawashi
  module Children
    # A process that runs jobs on threads of its own: reads frames of jobs, answers with frames of outcomes.
    # It ends when the server says so or is gone.
    class Child
      # How often finished jobs are reported that were not reported at once.
      FLUSH_SECONDS = 0.005

      CUTS = [TimeLimitExceeded, Cancelled].to_h { |error| [error.name, error] }.freeze
      private_constant :CUTS

      # How long blocks for :quiet and :shutdown may still run once the jobs have ended.
      EVENTS_SECONDS = 5

      # @param link [Link]
      # @param marks [RunningMarks]
      # @param lanes [Array<Integer>] jobs of each capsule that run at once
      def initialize(link:, sidekiq:, marks:, lanes:)
        @link = link
        @sidekiq = sidekiq
        @context = RunContext.new(sidekiq)
        @jobs = Lanes.new(lanes)
        @outcomes = Outcomes.new(link)
        @requests = Requests.new(link)
        @events = Thread::Queue.new
        @has_beaten = false
        @event_thread = start_events
        @workers = Workers.new(jobs: @jobs, outcomes: @outcomes, sidekiq: sidekiq, context: @context, marks: marks).start
      end

      # What `Mawashi::Native` is connected to, like `iteration`.
      def enqueue(jobs)
        @requests.enqueue(jobs)
      end

      def iteration(words)
        @requests.iteration(words)
      end

      # Serves the server until it ends this process.
      def serve
        loop do
          next @outcomes.flush unless @link.wait(patience)

          kind, body = @link.read
          break if kind.nil? || kind == "X"

          take(kind, body)
        end
        @workers.close
        @events << nil
        @event_thread.join(EVENTS_SECONDS)
      end

      private

      # A thread that ends a job while none waits reports it itself, and jobs come by way of this thread only. So
      # where none waits and nothing is untold, nothing will be.
      def patience
        FLUSH_SECONDS unless @jobs.empty? && !@outcomes.untold?
      end

      def take(kind, body)
        case kind
        when "J" then jobs(body)
        when "R" then @workers.give_back
        when "I" then @workers.interrupt(body.unpack1("N"))
        when "C" then cut(body)
        when "G" then give_up(body)
        when "V" then fire(body.to_sym)
        when "T" then dump(body)
        when "A", "D", "N" then @requests.answer(kind, body)
        else raise Error, "a frame of kind #{kind.inspect}: this is not the server"
        end
      end

      def jobs(body)
        @workers.leased_until = JobFrame.until(body)
        waiting = @jobs.queue(JobFrame.first_id(body))
        JobFrame.each_parsed(body) { |job| waiting << job }
      end

      # Raises an error in one job. The frame has its id, the error's name behind its length, and its message.
      def cut(body)
        id, name_bytes = body.unpack("Q>C")
        name = body.byteslice(9, name_bytes)
        message = body.byteslice(9 + name_bytes, body.bytesize).force_encoding(Encoding::UTF_8)
        @workers.cut(id, CUTS.fetch(name).new(message))
      end

      # Prints where all threads are; or, for a request with a number, reports where the job with this id is or all
      # are, or, with a path, writes the heap there.
      def dump(body)
        return ThreadDump.call.each { |trace| $stderr.puts(trace) } if body.empty?

        request, id, path = body.unpack("Q>Q>a*")
        traces = id.zero? ? ThreadDump.call : [@workers.backtrace(id)] if path.empty?
        traces ||= [HeapDump.call(path)]
        @link.write("M", [request, 0, Process.pid].pack("Q>NN") << ThreadDump.text(traces))
      end

      def give_up(body)
        id, reason_bytes = body.unpack("Q>C")
        reason = body.byteslice(9, reason_bytes)
        payload = body.byteslice(9 + reason_bytes, body.bytesize)
        problem = @workers.problem(id)
        Thread.new do
          @sidekiq.enter_slot
          kept = JobRun.new(@sidekiq, @context).give_up(problem, payload, reason)
          @link.write("U", [id, kept == :discard ? 1 : 0].pack("Q>C") << (kept.is_a?(String) ? kept.b : ""))
        end
      end

      # The app's blocks run one after the other on a thread of their own, so that they delay no job. Beats
      # that come while others run are left out. The first beat stands for :heartbeat too, since the server had
      # its own before there was a child.
      def fire(event)
        @context.stop if event == :quiet
        @event_thread = start_events unless @event_thread.alive? # A job may have ended it.
        return @events << event unless event == :beat

        is_late = !@events.empty?
        @events << :heartbeat unless @has_beaten
        @has_beaten = true
        @events << event unless is_late
      end

      def start_events
        Thread.new do
          while (event = @events.pop)
            @sidekiq.fire(event)
          end
        end
      end
    end
  end
end
