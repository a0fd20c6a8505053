# frozen_string_literal: true

require "mawashi/children/fork_context"
require "mawashi/children/fork_events"
require "mawashi/children/forks"
require "mawashi/children/requests"
require "mawashi/children/waiting_jobs"
require "mawashi/native"
require "mawashi/own_log"

module Mawashi
  module Children
    # A process that forks once for each job: takes frames of jobs, answers with frames of outcomes. It runs
    # no job itself, so what a job does to its process hits no other. One thread does it all.
    class Forker
      # How long blocks for :quiet and :shutdown may still run once the jobs have ended.
      EVENTS_SECONDS = 5
      # When no process can be forked, it is tried again after so long.
      NO_FORK_SECONDS = 0.1
      # How often ended jobs are reported while others wait to begin: what a report costs the server is as much
      # for several as for one.
      REPORT_SECONDS = 0.005
      private_constant :EVENTS_SECONDS, :NO_FORK_SECONDS, :REPORT_SECONDS

      # @param link [Link]
      # @param marks [RunningMarks]
      # @param lanes [Array<Integer>] jobs that run at once, in one lane
      def initialize(link:, sidekiq:, marks:, lanes:)
        @link = link
        @sidekiq = sidekiq
        @marks = marks
        @places = lanes.sum
        @requests = Requests.new(link)
        @context = ForkContext.of(sidekiq.launcher)
        @events = ForkEvents.new(sidekiq)
        @jobs = WaitingJobs.new(link)
        @given_up = []
      end

      # What `Mawashi::Native` is connected to here; forks connect it to their own requests.
      def enqueue(jobs)
        @requests.enqueue(jobs)
      end

      # See {#enqueue}.
      def iteration(words)
        @requests.iteration(words)
      end

      # Serves the server until it ends this process.
      def serve
        prepare
        loop do
          fork_next
          @forks.report(@jobs.empty? ? 0 : REPORT_SECONDS)
          ready = wait
          @forks.reap if ready.include?(@ended)
          ready.each { |stream| @forks.listen(stream) }
          break if ready.include?(@link.to_io) && !take(*@link.read)
        end
        @forks.report(0)
        @forks.kill
        @events.await(EVENTS_SECONDS)
      end

      private

      # Blocks for :startup may have connected what forks must not share.
      def prepare
        @sidekiq.close_connections
        @sidekiq.enter_slot
        @ended, ended = IO.pipe
        @forks = Forks.new(
          link: @link, wakers: [@ended, ended], requests: @requests, sidekiq: @sidekiq, context: @context,
          marks: @marks, places: @places
        )
        @forks.warm_up(@sidekiq)
        Native.connect(method(:enqueue), method(:iteration))
        pid = Process.pid
        trap("CHLD") { ended.write_nonblock(".", exception: false) if Process.pid == pid }
        @cannot_fork = false
      end

      def wait
        ready = @forks.places.wait([@link.to_io, @ended], patience)
        @ended.read_nonblock(1_000, exception: false) if ready.include?(@ended)
        ready
      end

      # Seconds after which something is to be done though nothing can be read.
      def patience
        return REPORT_SECONDS if @forks.untold?

        NO_FORK_SECONDS if @cannot_fork
      end

      # Also when there can be no more processes now, no job is lost, nor is it the job's fault.
      def fork_next
        @forks.give_up(@given_up.first) && @given_up.shift while !@given_up.empty? && @forks.places.free_for_death?
        run_next while !@jobs.empty? && @forks.places.free?
        @cannot_fork = false
      rescue SystemCallError => e
        OwnLog.say(:error, "no process can be forked: #{e.message}") unless @cannot_fork
        @cannot_fork = true
      end

      # The job is noted before the lease is looked at, see {Workers}.
      def run_next
        @forks.note(@jobs.first)
        return @jobs.give_back if @jobs.late?

        @forks.run(@jobs.first)
        @jobs.shift
      end

      # @return [Boolean] whether to go on
      def take(kind = "X", body = nil)
        case kind
        when "J" then @jobs.add(body)
        when "R" then @jobs.give_back
        when "I" then interrupt
        when "C" then @forks.cuts.raise_in(*body.unpack("Q>Ca*"))
        when "Z" then @forks.cuts.kill(body.unpack1("Q>"))
        when "G" then give_up(body)
        when "V" then fire(body.to_sym)
        when "T" then @forks.dump(body)
        when "A", "D", "N" then @requests.answer(kind, body)
        when "X" then return false
        else raise Error, "a frame of kind #{kind.inspect}: this is not the server"
        end
        true
      end

      def interrupt
        @context.stop
        @forks.signal(ForkRun::INTERRUPT)
      end

      def give_up(body)
        id, reason_bytes = body.unpack("Q>C")
        @given_up << [id, body.byteslice(9, reason_bytes), body.byteslice(9 + reason_bytes, body.bytesize)]
      end

      def fire(event)
        @context.stop if event == :quiet
        @events.fire(event)
      end
    end
  end
end
