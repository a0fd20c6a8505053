# frozen_string_literal: true

require "json"
require "logger"
require "sidekiq/context"
require "time" unless Time.method_defined?(:iso8601)

module Sidekiq
  # A logger whose lines name process, thread and job.
  class Logger < ::Logger
    def initialize(*, **)
      super
      self.formatter ||= Formatters.default
    end

    # The forms that lines can have, those of Sidekiq 8.
    #
    # @example
    #   Sidekiq.logger.formatter = Sidekiq::Logger::Formatters::JSON.new
    module Formatters
      # On Heroku, which stamps lines itself, without time; in colours only on a terminal.
      def self.default
        return WithoutTimestamp.new if ENV["DYNO"]

        $stdout.tty? ? Pretty.new : Plain.new
      end

      # The thread that a form is called on.
      class Threaded < ::Logger::Formatter
        # A short name of the thread.
        def tid
          Thread.current["sidekiq_tid"] ||= (Thread.current.object_id ^ ::Process.pid).to_s(36)
        end

        # The thread's context as words, each after a space.
        def format_context(context = Context.current)
          context.map { |key, value| " #{key}=#{value.is_a?(Array) ? value.join(",") : value}" }.join
        end
      end

      # `INFO 2026-11-21T03:55:07.629Z pid=23884 tid=1xg jid=... class=AddJob: start`
      class Plain < Threaded
        def call(severity, time, _program, message)
          "#{severity} #{time.utc.iso8601(3)} pid=#{::Process.pid} tid=#{tid}#{format_context}: #{message}\n"
        end
      end

      # The same, severity in colour and in a column.
      class Pretty < Plain
        COLOURS = { "DEBUG" => 32, "INFO" => 34, "WARN" => 33, "ERROR" => 31, "FATAL" => 35 }.freeze
        private_constant :COLOURS

        def call(severity, time, program, message)
          super(colour(severity), time, program, message)
        end

        private

        def colour(severity)
          COLOURS.key?(severity) ? "\e[1;#{COLOURS[severity]}m#{severity.ljust(5)}\e[0m" : severity
        end
      end

      # The same without time.
      class WithoutTimestamp < Threaded
        def call(severity, _time, _program, message)
          "#{severity} pid=#{::Process.pid} tid=#{tid}#{format_context}: #{message}\n"
        end
      end

      # One object a line: ts, pid, tid, lvl, msg, and ctx where there is any.
      class JSON < Threaded
        def call(severity, time, _program, message)
          fields = { ts: time.utc.iso8601(3), pid: ::Process.pid, tid: tid, lvl: severity, msg: message }
          context = Context.current
          fields[:ctx] = context unless context.empty?
          "#{::JSON.generate(fields)}\n"
        end
      end
    end
  end
end
