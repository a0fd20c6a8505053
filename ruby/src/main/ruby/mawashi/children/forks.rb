# frozen_string_literal: true

require "mawashi/children/fork_cuts"
require "mawashi/children/fork_ends"
require "mawashi/children/fork_places"
require "mawashi/children/fork_run"
require "mawashi/children/fork_traces"

module Mawashi
  module Children
    # The forks of a forker: begins jobs in them, hears what they say and print, reaps them, and reports to the
    # server what came of each.
    #
    # Whether a fork has ended is asked of the kernel, since processes that a job left behind may hold its
    # streams open.
    class Forks
      # @return [ForkPlaces] where they run
      attr_reader :places
      # @return [ForkCuts] ends single jobs
      attr_reader :cuts

      # @param link [Link] to the server
      # @param wakers [Array<IO>] what else of the forker is none of the forks' business
      # @param requests [Requests] passes on what forks ask of the server
      # @param context [ForkContext] of the jobs
      # @param marks [RunningMarks]
      # @param places [Integer] jobs that run at once
      def initialize(link:, wakers:, requests:, sidekiq:, context:, marks:, places:)
        @requests = requests
        @marks = marks
        @places = ForkPlaces.new(places)
        @cuts = ForkCuts.new(@places.busy)
        @ends = ForkEnds.new(link, marks)
        @traces = ForkTraces.new(link)
        @private = [link, *wakers]
        @run = ForkRun.new(sidekiq: sidekiq, context: context, isolate: method(:isolate))
      end

      # Has what each fork will do be done once here. `Mawashi::Native` is to be connected anew then.
      def warm_up(sidekiq)
        @run.warm_up(sidekiq)
      end

      # Notes that a job begins, given as to {#run}.
      def note(job)
        @marks.row(@places.free.number).mark(job.first)
      end

      # Begins the job that was noted.
      #
      # @param job [Array(Integer, String, String)] id, queue and payload
      # @raise [SystemCallError] when there can be no more processes; nothing has begun then
      def run(job)
        slot = @places.free
        start(slot, job) { @run.call(slot, job) }
      end

      # Reports to the app that a job will not run again.
      #
      # @param job [Array(Integer, String, String)] id, reason and payload
      def give_up(job)
        slot = @places.for_death
        failure = @ends.failure(job.first)
        start(slot, job) { @run.give_up(slot, job, failure) }
      end

      # Takes what a fork says or prints.
      #
      # @param stream [IO, ForkSocket] that can be read, see {ForkPlaces#wait}
      def listen(stream)
        slot = @places.of(stream) or return
        return @ends.print(slot, slot.output.read) if stream.equal?(slot.output.stream)

        slot.hear { |kind, body| ask(slot, kind, body) }
        return unless slot.socket.broken

        slot.pid ? slot.kill : slot.socket.renew
      end

      # Sees to those that have ended. What came of their jobs may be untold then.
      def reap
        dead = @places.busy.map { |slot| [slot, Process.wait2(slot.pid, Process::WNOHANG)&.last] }.select(&:last)
        dead.each { |slot, status| finish(slot, status) }
      end

      # Reports to the server what came of jobs.
      #
      # @param seconds [Float] only if some has been untold for so long
      def report(seconds)
        @ends.report(seconds)
      end

      # Whether something came of a job that the server does not know.
      def untold?
        @ends.untold?
      end

      # @param name [String] of a signal for each process that runs a job
      def signal(name)
        @places.busy.each { |slot| Process.kill(name, slot.pid) }
      end

      # Has all print where they are, or some report to the server, see {ForkTraces#ask}.
      def dump(asked)
        asked.empty? ? signal(ForkRun::DUMP) : @traces.ask(asked, @places.busy)
      end

      # Kills all.
      def kill
        @places.busy.each(&:kill)
      end

      private

      def start(slot, job, &block)
        slot.open(job.first)
        slot.forked(fork(&block))
        @places.take(slot)
      end

      # In a fork: closes what is none of its business, so that a job which writes to all that is open can
      # disturb nobody, and none that it leaves behind hides the forker's end from the server.
      def isolate(slot)
        @private.each(&:close)
        @places.isolate(slot)
      end

      def finish(slot, status)
        slot.hear { |kind, body| ask(slot, kind, body) }
        @ends.print(slot, slot.output.read_left)
        @traces.take(slot.pid, "")
        @places.for_death?(slot) ? @ends.given_up(slot) : @ends.job(slot, status)
        slot.kill_group if status.signaled?
        @places.leave(slot)
      end

      def ask(slot, kind, body)
        return @traces.take(slot.pid, body) if kind == "M"

        id = slot.id
        @requests.pass(kind, body.byteslice(8, body.bytesize)) do |answered, answer|
          slot.socket.answer(answered, body.byteslice(0, 8) << answer) if slot.pid && slot.id == id
        end
      end
    end
  end
end
