# frozen_string_literal: true

require "json"
require "securerandom"

module Mawashi
  class SchedulerGem
    # A process's turn to fire. The file that the processes of a server share has notes for the one that comes next: its
    # time says until when there was one, its lines name the schedules of the form `in` that have come.
    class Turn
      LINE = "held\n"
      private_constant :LINE

      # @return [String] tells it from all others
      attr_reader :id

      # @return [Time, nil] until when another process of this server fired before; nil when none did
      attr_reader :since

      # @param path [String, nil] of the file; nil where there is one process
      def initialize(path)
        @path = path
        @id = SecureRandom.hex(8)
        @first = {}
        return unless path

        @since = File.mtime(path) unless File.empty?(path)
        @come = File.readlines(path, encoding: "UTF-8")
        note(LINE)
      end

      # Notes that there is one still.
      def hold
        now = Time.now
        File.utime(now, now, @path) if @path
      end

      # Whether a schedule that comes once after the start has come in this server.
      def come?(name)
        @come&.include?(line(name)) || false
      end

      # Notes that it comes now.
      def comes(name)
        note(line(name)) if @path
      end

      # Whether this is the first time of a schedule in this server, as far as this process knows.
      def first?(name)
        @since.nil? && !@first.key?(name) && (@first[name] = true)
      end

      private

      def note(line)
        File.write(@path, line, mode: "a")
      end

      def line(name)
        "#{JSON.generate([name])}\n"
      end
    end
  end
end
