# frozen_string_literal: true

require "mawashi/cancelled"
require "mawashi/failure"
require "mawashi/own_log"
require "mawashi/problem"

module Mawashi
  # The ends of runs that did not succeed, as far as Ruby has a say in it.
  class RunEnds
    # @param sidekiq [SidekiqGem, Resque::App] of the loaded app
    # @param context [RunContext] knows whether the server is stopping
    def initialize(sidekiq, context)
      @failure = Failure.new(sidekiq)
      @handled = sidekiq.handled_error
      @context = context
    end

    # @param job [Hash] the payload as the run has left it
    # @param type [Class, nil] its class, if that was found
    # @param error [Exception] what ended the run
    # @param original [Hash] the payload as it came
    # @return [Problem]
    def problem(job, type, error, original = nil)
      return Problem::INTERRUPTED if stopped_by?(error)
      return Problem.of(error, type, true, nil) if error.is_a?(Cancelled)
      return @failure.handled(error, job) if @handled && error.is_a?(@handled)

      Problem.of(error, type, *@failure.hint(type, job, error, original || job)).tap { |found| found.kind = :unfound unless type }
    rescue Exception => e # rubocop:disable Lint/RescueException -- the class cannot be asked about its error
      stopped_by?(e) ? Problem::INTERRUPTED : Problem.of(error, type, true, nil)
    end

    # @param text [String] a payload that is no job
    # @param reason [String] why
    # @return [Problem]
    def malformed(text, reason)
      @failure.malformed(text, reason)
      Problem.new(:malformed, "", reason, [])
    end

    # Reports to the app that a job will not run again, see {Failure#give_up}, or was lost with its process ("FAILED").
    #
    # @param problem [Problem, nil] what its run ended in; nil when that was elsewhere or is not known any more
    # @param text [String] the payload
    # @return [Symbol, String, nil] see {Death#call}
    def give_up(problem, text, reason)
      job = Sidekiq.load_json(text.force_encoding(Encoding::UTF_8))
      return @failure.lost(job) if reason == "FAILED"

      @failure.give_up(problem&.job_class, job, problem&.error, reason)
    rescue Exception => e # rubocop:disable Lint/RescueException -- the job is settled all the same
      OwnLog.say(:warn, "#{e.class} while a job was given up: #{e.message}")
      nil
    end

    private

    # Whether the server's stop ended the job. A job that raises `Sidekiq::Shutdown` by itself would otherwise
    # run again at once, for ever.
    def stopped_by?(error)
      @context&.stopping? && Problem.shutdown?(error)
    end
  end
end
