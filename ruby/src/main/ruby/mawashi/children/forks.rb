# frozen_string_literal: true

require "mawashi/children/fork_cuts"
require "mawashi/children/fork_ends"
require "mawashi/children/fork_run"
require "mawashi/children/fork_slot"

module Mawashi
  module Children
    # The forks of a forker: begins jobs in them, hears what they say and print, reaps them, and tells the
    # server what came of each.
    #
    # Whether a fork has ended is asked of the kernel, since processes that a job left behind may hold its
    # streams open.
    class Forks
      # @return [Array<IO>] what is to be waited for, besides the ends of processes
      attr_reader :streams
      # @return [ForkCuts] ends single jobs
      attr_reader :cuts

      # @param link [Link] to the server
      # @param requests [Requests] passes on what forks ask of the server
      # @param context [ForkContext] of the jobs
      # @param marks [#mark] see {RunningMarks}
      # @param places [Integer] jobs that run at once
      def initialize(link:, requests:, sidekiq:, context:, marks:, places:)
        @requests = requests
        @marks = marks
        @slots = Array.new(places) { |number| ForkSlot.new(number) }
        @free = @slots.reverse
        # Jobs that are given up wait for none that runs.
        @death_slot = ForkSlot.new(places)
        @busy = []
        @cuts = ForkCuts.new(@busy)
        @ends = ForkEnds.new(link)
        @run = ForkRun.new(link: link, sidekiq: sidekiq, context: context, ends: @ends.stream)
        watch
      end

      # Has what each fork will do be done once here. `Mawashi::Native` is to be connected anew then.
      def warm_up(sidekiq)
        @run.warm_up(sidekiq, @death_slot)
        @ends.hear
      end

      # Whether a job can begin.
      def free?
        !@free.empty?
      end

      # Whether a job can be given up.
      def free_for_death?
        @death_slot.pid.nil?
      end

      # Begins a job.
      #
      # @param job [Array(Integer, String, String)] id, queue and payload
      # @raise [SystemCallError] when there can be no more processes; nothing has begun then
      def run(job)
        slot = @free.last
        @marks.mark(slot.number, job.first)
        start(slot, job) { @run.call(slot, job) }
        @free.pop
      end

      # Tells the app that a job will not run again.
      #
      # @param job [Array(Integer, String, String)] id, reason and payload
      # @raise (see #run)
      def give_up(job)
        start(@death_slot, job) { @run.give_up(@death_slot, job) }
      end

      # Takes what a fork says or prints.
      #
      # @param stream [IO] one of {#streams} that can be read
      def listen(stream)
        slot = @slot_of[stream] or return
        return @ends.print(slot, slot.output.read) if stream.equal?(slot.output.stream)

        slot.hear { |kind, body| ask(slot, kind, body) }
        return unless slot.broken

        slot.pid ? slot.kill : renew(slot)
      end

      # Sees to those that have ended.
      def reap
        dead = @busy.map { |slot| [slot, Process.wait2(slot.pid, Process::WNOHANG)&.last] }.select(&:last)
        return if dead.empty?

        @ends.hear
        dead.each { |slot, status| finish(slot, status, @ends.well?(slot.id)) }
        @ends.flush
      end

      # @param name [String] of a signal for each process that runs a job
      def signal(name)
        @busy.each { |slot| Process.kill(name, slot.pid) }
      end

      # Kills all.
      def kill
        @busy.each(&:kill)
      end

      private

      def watch
        @slot_of = {}.compare_by_identity
        [*@slots, @death_slot].each { |slot| @slot_of[slot.socket] = @slot_of[slot.output.stream] = slot }
        @streams = @slot_of.keys
      end

      def renew(slot)
        slot.renew
        watch
      end

      def start(slot, job, &block)
        slot.open(job.first)
        slot.forked(fork(&block))
        @busy << slot
      end

      def finish(slot, status, well)
        slot.hear { |kind, body| ask(slot, kind, body) }
        @ends.print(slot, slot.output.read_left)
        slot.equal?(@death_slot) ? @ends.given_up(slot) : @ends.job(slot, status, well)
        slot.kill_group if status.signaled?
        slot.close
        renew(slot) unless well && slot.quiet?
        @busy.delete(slot)
        @free << slot unless slot.equal?(@death_slot)
      end

      def ask(slot, kind, body)
        pid = slot.pid
        @requests.pass(kind, body.byteslice(8, body.bytesize)) do |answered, answer|
          slot.answer(answered, body.byteslice(0, 8) << answer) if slot.pid == pid
        end
      end
    end
  end
end
