# frozen_string_literal: true

require "mawashi/children/fork_places"
require "mawashi/children/fork_requests"
require "mawashi/children/fork_signals"
require "mawashi/children/outcomes"
require "mawashi/children/plain_sidekiq"
require "mawashi/children/tie"
require "mawashi/job_run"
require "mawashi/native"
require "mawashi/past_run"

module Mawashi
  module Children
    # The work of a fork: it runs one job and is gone. What can be made before the fork is made in the forker,
    # which keeps one of these.
    #
    # That a job ended well is known by the fork's last word, nothing else: a job that ends its process has
    # not ended well, whatever the status.
    class ForkRun
      include ForkSignals

      NOBODY = (2**64) - 1
      STAND_IN = '{"class":"Mawashi::Children::StandInJob","args":[1],"jid":"0"}'
      private_constant :NOBODY, :STAND_IN

      # @param sidekiq [Object] runs jobs, see {JobRun}
      # @param context [ForkContext] of the jobs
      # @param isolate [#call] takes the slot; closes in a fork what is none of its business
      def initialize(sidekiq:, context:, isolate:)
        @forker = Process.pid
        @isolate = isolate
        @run = JobRun.new(sidekiq, context)
        @is_running = @is_interrupted = false
        hear_signals
      end

      # Does once in the forker what each fork does, with a job of our own and nothing of the app's around it.
      # What Ruby learns when code first runs is then shared; else each fork would learn it anew and copy the
      # memory that it is kept in, which is a third of what a fork costs.
      def warm_up(sidekiq)
        require_relative "stand_in_job"
        real = @run
        @run = JobRun.new(PlainSidekiq.new(sidekiq.version), nil)
        places = ForkPlaces.new(2)
        2.times do
          enter(places.free, Process.ppid, STDERR)
          run("", STAND_IN.dup)
          well(places.free, NOBODY) if mine?
        end
        [places.free, nil].each { |here| places.isolate(here) }
      ensure
        @run = real
      end

      # Runs a job; ends the process.
      #
      # @param slot [ForkSlot]
      # @param job [Array(Integer, String, String)] id, queue and payload
      def call(slot, job)
        in_fork(slot) do
          id, queue, payload = job
          problem = run(queue, payload)
          next unless mine?

          Outcomes.new(slot.link).problem(id, slot.nanos, problem) if problem
          well(slot, id)
        end
      end

      # Reports to the app that a job will not run again; ends the process.
      #
      # @param job [Array(Integer, String, String)] id, reason and payload
      # @param failure [Hash, nil] what it failed by; nil when the payload says it
      def give_up(slot, job, failure)
        in_fork(slot) do
          id, reason, payload = job
          kept = @run.give_up(failure && past(failure), payload, reason)
          next unless mine?

          slot.link.write("U", [id, kept == :discard ? 1 : 0].pack("Q>C") << (kept.is_a?(String) ? kept.b : ""))
          well(slot, id)
        end
      end

      private

      # The handlers of `at_exit` are the forker's, not the job's, so that nothing but `exit!` ends a fork.
      def in_fork(slot)
        status = 1
        enter(slot, @forker, slot.output.to)
        @isolate.call(slot)
        yield
        status = 0
      rescue Exception => e # rubocop:disable Lint/RescueException -- the process ends here
        $stderr.puts "#{e.class}: #{e.message}"
      ensure
        exit!(status)
      end

      # Standard output is the forker's.
      def enter(slot, parent, errors)
        Tie.to(parent)
        @pid = Process.pid
        Process.setpgid(0, 0)
        STDERR.reopen(errors)
        requests = ForkRequests.new(@link = slot.link)
        Native.connect(requests.method(:enqueue), requests.method(:iteration))
      end

      def past(failure)
        Problem.new(:failed, *failure.values, [], nil, nil, PastRun.error(failure))
      end

      def run(queue, payload)
        has_ended = false
        @is_running = true
        return Problem::INTERRUPTED if @is_interrupted
        return Problem.of(@cut, nil, true, nil) if @cut

        problem = @run.call(queue, payload)
        has_ended = true
        @is_running = false
        problem
      rescue Sidekiq::Shutdown
        # It came when the job had just ended, or so it seems: better twice than never.
        has_ended ? problem : Problem::INTERRUPTED
      rescue Cut => e
        has_ended ? problem : Problem.of(e, nil, true, nil)
      end

      # A job may have forked and both have come back.
      def mine?
        Process.pid == @pid
      end

      def well(slot, id)
        [STDOUT, STDERR].each { |stream| flush(stream) }
        slot.link.write("W", [id].pack("Q>"))
      end

      # A job may have sent them elsewhere, such as to a full disk.
      def flush(stream)
        stream.flush unless stream.closed? || stream.sync
      rescue IOError, SystemCallError
        # It printed in vain, and is done.
      end
    end
  end
end
