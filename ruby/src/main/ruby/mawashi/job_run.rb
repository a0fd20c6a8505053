# frozen_string_literal: true

require "mawashi/job_log"
require "mawashi/run_ends"

module Mawashi
  # Runs jobs where Ruby does all of it, one for each thread: in MRI's children and forks. On JRuby that is `RubySlot`.
  class JobRun
    # @return [ThreadError] what such a job has failed by
    def self.thread_error
      ThreadError.new("the job ended its own thread")
    end

    # @param sidekiq [SidekiqGem, Resque::App] of the loaded app
    # @param context [RunContext] answers jobs that ask (`interrupted?`) that the server is stopping
    def initialize(sidekiq, context)
      @sidekiq = sidekiq
      @ends = RunEnds.new(sidekiq, context)
      @enters_capsules = sidekiq.capsules?
      @context = context
      @chain = sidekiq.server_middleware
      @chain_use = sidekiq.chain_use
      @interrupts = @chain_use == :interrupts ? [Sidekiq::Job::Interrupted] : []
      @reloader = sidekiq.reloader
      @lookup = sidekiq.class_lookup
      @classes = {}
      @logs = sidekiq.logs_jobs?
      @profile = sidekiq.job_profile
      # Nothing is to be called around a job, but for middleware.
      @plain = @reloader.nil? && !@logs
      @thread = Thread.current
      @log = JobLog.new(sidekiq, -> { job_for_log })
    end

    # @param queue [String] that the job came from; other jobs may share it, so middleware gets a copy
    # @param payload [String, Hash] as it came, or parsed
    # @yieldreturn [String] what was parsed, as it came; asked for when the run has failed
    # @return [Problem, nil] nil when the job is done
    def call(queue, payload)
      @found = nil
      @sidekiq.enter_capsule(queue) if @enters_capsules
      @job = job = parse(payload) or return @ends.malformed(payload, "not a JSON object")
      if @plain && !job["log_level"] && !job["profile"]
        perform(job, queue)
      else
        around(job, queue) { perform(job, queue) }
      end
      nil
    rescue JSON::ParserError, EncodingError => e
      job ? @ends.problem(job, @found, e, as_it_came(payload) { yield }) : @ends.malformed(payload, e.message)
    rescue Exception => e # rubocop:disable Lint/RescueException -- decides the job's outcome
      @ends.problem(job || {}, @found, e, job && as_it_came(payload) { yield })
    ensure
      @job = nil
      forget_context if @context_used
    end

    # What has become of a job that has ended its own thread, which no `rescue` sees.
    #
    # @param text [String] its payload
    # @return [Problem]
    def thread_ended(text)
      job = parse(text)
      @ends.problem(job, job_class(job["class"]), JobRun.thread_error)
    end

    # Reports to the app that a job will not run again, see {RunEnds#give_up}.
    def give_up(problem, text, reason)
      @ends.give_up(problem, text, reason)
    end

    private

    def parse(payload)
      return payload if payload.is_a?(Hash)

      job = Sidekiq.load_json(payload.force_encoding(Encoding::UTF_8))
      job if job.is_a?(Hash)
    end

    # A job may have changed what it was given.
    def as_it_came(payload)
      text = payload.is_a?(String) ? payload : yield
      Sidekiq.load_json(text.force_encoding(Encoding::UTF_8))
    rescue StandardError
      nil
    end

    def around(job, queue, &block)
      body = @reloader ? -> { @reloader.call(&block) } : block
      body = profiled(job, body) if @profile && job["profile"]
      return body.call unless @logs || job["log_level"]

      @log.call(job, queue.dup, &body)
    end

    # With the app's reloader inside of it, as in Sidekiq.
    def profiled(job, body)
      -> { @profile.call(job, &body) }
    end

    def job_for_log
      @context_used = true
      @job if Thread.current == @thread
    end

    # Lets the next job have a log context of its own.
    def forget_context
      @context_used = false
      @log.forget
    end

    def perform(job, queue)
      # The only fields that {KnownReliances} has jobs held for, and {UniqueLock::START}.
      @sidekiq.hold(job) if job["encrypt"] || job["bid"] || job["mw_start"]
      @found = type = @classes[job["class"]] || job_class(job["class"])
      instance = instantiate(type, job["jid"])
      if @chain_use == :all
        @chain.invoke(instance, job, queue.dup) { instance.perform(*job["args"]) }
      else
        instance.perform(*job["args"])
      end
    rescue *@interrupts => e
      @chain.invoke(instance, job, queue.dup) { raise e }
    end

    # Kept, unless the app may reload its classes.
    def job_class(name)
      unless name.is_a?(String) && !name.empty?
        ClassLookup.refuse "the payload names no job class: \"class\" is missing, empty or not a string"
      end

      @lookup.job_class(name).tap { |type| @classes[name] = type unless @reloader }
    end

    def instantiate(type, jid)
      instance = type.new
      instance.jid = jid
      # It may respond to all there is, by `method_missing`.
      instance._context = @context if type.method_defined?(:_context=)
      instance
    end
  end
end
