# frozen_string_literal: true

require "mawashi/cancelled"
require "mawashi/failure"
require "mawashi/job_log"
require "mawashi/own_log"
require "mawashi/problem"

module Mawashi
  # Runs jobs where Ruby does all of it, one for each thread: in MRI's children and forks. On JRuby that is `RubySlot`.
  class JobRun
    # @param sidekiq [SidekiqGem, Resque::App] of the loaded app
    # @param context [RunContext] tells jobs that ask (`interrupted?`) that the server is stopping
    def initialize(sidekiq, context)
      @sidekiq = sidekiq
      @failure = Failure.new(sidekiq)
      @enters_capsules = sidekiq.capsules?
      @context = context
      @chain = sidekiq.server_middleware
      @chain_use = sidekiq.chain_use
      @interrupts = @chain_use == :interrupts ? [Sidekiq::Job::Interrupted] : []
      @reloader = sidekiq.reloader
      @handled = sidekiq.handled_error
      @lookup = sidekiq.class_lookup
      @classes = {}
      @logs = sidekiq.logs_jobs?
      # Nothing is to be called around a job, but for middleware.
      @plain = @reloader.nil? && !@logs
      @thread = Thread.current
      @log = JobLog.new(sidekiq, -> { job_for_log })
    end

    # @param queue [String] that the job came from; other jobs may share it, so middleware gets a copy
    # @param payload [String, Hash] as it came, or parsed
    # @return [Problem, nil] nil when the job is done
    def call(queue, payload)
      @found = nil
      @sidekiq.enter_capsule(queue) if @enters_capsules
      @job = job = parse(payload) or return malformed(payload, "not a JSON object")
      if @plain && !job["log_level"]
        perform(job, queue)
      else
        around(job, queue) { perform(job, queue) }
      end
      nil
    rescue JSON::ParserError, EncodingError => e
      job ? problem(job, @found, e) : malformed(payload, e.message)
    rescue Exception => e # rubocop:disable Lint/RescueException -- decides the job's outcome
      problem(job || {}, @found, e)
    ensure
      @job = nil
      forget_context if @context_used
    end

    # Tells the app that a job will not run again, see {Failure#give_up}, or was lost with its process ("FAILED").
    # @param problem [Problem, nil] what its run ended in; nil when that was elsewhere or is not known any more
    # @return [Symbol, String, nil] see {Death#call}
    def give_up(problem, text, reason)
      job = parse(text)
      return @failure.lost(job) if reason == "FAILED"

      @failure.give_up(problem&.job_class, job, problem&.error, reason)
    rescue Exception => e # rubocop:disable Lint/RescueException -- the job is settled all the same
      OwnLog.say(:warn, "#{e.class} while a job was given up: #{e.message}")
      nil
    end

    private

    def parse(payload)
      return payload if payload.is_a?(Hash)

      job = Sidekiq.load_json(payload.force_encoding(Encoding::UTF_8))
      job if job.is_a?(Hash)
    end

    def around(job, queue, &block)
      body = @reloader ? -> { @reloader.call(&block) } : block
      return body.call unless @logs || job["log_level"]

      @log.call(job, queue.dup, &body)
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
      # The only fields that {KnownReliances} has jobs held for.
      @sidekiq.hold(job) if job["encrypt"] || job["bid"]
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
      instance._context = @context if instance.respond_to?(:_context=)
      instance
    end

    def malformed(text, reason)
      @failure.malformed(text, reason)
      Problem.new(:malformed, "", reason, [])
    end

    def problem(job, type, error)
      return Problem::INTERRUPTED if stopped_by?(error)
      return Problem.of(error, type, true, nil) if error.is_a?(Cancelled)
      return @failure.handled(error, job) if @handled && error.is_a?(@handled)

      Problem.of(error, type, *@failure.hint(type, job, error)).tap { |found| found.kind = :unfound unless type }
    rescue Exception => e # rubocop:disable Lint/RescueException -- the class cannot be asked about its error
      stopped_by?(e) ? Problem::INTERRUPTED : Problem.of(error, type, true, nil)
    end

    # Whether the server's stop ended the job. A job that raises `Sidekiq::Shutdown` by itself would otherwise
    # run again at once, for ever.
    def stopped_by?(error)
      @context&.stopping? && Problem.shutdown?(error)
    end
  end
end
