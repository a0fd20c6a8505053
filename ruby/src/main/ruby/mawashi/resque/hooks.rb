# frozen_string_literal: true

require "mawashi/problem"
require "mawashi/resque/dont_perform"

module Mawashi
  module Resque
    # The hooks of a Resque job class: class methods, known by how their names begin, called in the order of
    # their names (Resque's plugin.rb and job.rb).
    class Hooks
      # How lines of a backtrace begin that are of this file.
      OWN_LINE = "#{__FILE__}:"
      private_constant :OWN_LINE

      # @param type [Module] the job class
      def initialize(type)
        @type = type
        names = ((type.respond_to?(:hooks) && type.hooks) || type.methods).map(&:to_s)
        @before, @around, @after, @failure = %w[before_perform around_perform after_perform on_failure].map do |prefix|
          names.select { |name| name.start_with?(prefix) }.sort
        end
      end

      # Calls `perform` with the hooks around it.
      #
      # @raise [Exception] what perform or a hook has raised, after the hooks for failures
      # @example
      #   Mawashi::Resque::Hooks.new(ArchiveJob).perform(35, "tar")
      def perform(*args)
        return unless performs?(args)

        @around.empty? ? @type.perform(*args) : surrounded(args)
        @after.each { |hook| @type.send(hook, *args) }
      rescue Exception => e # rubocop:disable Lint/RescueException -- hooks are to know of any
        raise shortened(Problem.shutdown?(e) ? e : reported(e, args))
      end

      private

      def performs?(args)
        @before.each { |hook| @type.send(hook, *args) }
        true
      rescue ::Resque::Job::DontPerform
        false
      end

      # The first hook is the outermost.
      def surrounded(args)
        innermost = -> { @type.perform(*args) }
        @around.reverse.inject(innermost) { |inner, hook| -> { @type.send(hook, *args) { inner.call } } }.call
      end

      # Calls the hooks for failures.
      #
      # @return [Exception] the error itself, or what a hook has raised in its place, in Resque's words
      def reported(error, args)
        @failure.each { |hook| @type.send(hook, error, *args) }
        error
      rescue Exception => e # rubocop:disable Lint/RescueException -- as Resque
        return e if Problem.shutdown?(e)

        RuntimeError.new("Additional error (#{e.class}: #{e}) occurred in running failure hooks for job #{@type}\n" \
                         "Original error that caused job failure was #{e.class}: #{error.class}: #{error.message}")
      end

      # Leaves the lines above this file, as Resque leaves those above its own.
      def shortened(error)
        lines = error.backtrace || []
        error.set_backtrace(lines.take_while { |line| !line.start_with?(OWN_LINE) })
        error
      rescue StandardError
        # A frozen error keeps all of its lines.
        error
      end
    end
  end
end
