# frozen_string_literal: true

require "mawashi/own_log"

module Mawashi
  module Resque
    module Cron
      # Says of schedules that they cannot be followed: each problem once, until it is over or another.
      class Complaints
        MOST = 1_000
        private_constant :MOST

        def initialize
          @said = {}
        end

        # @param name [String] of the schedule, or "all"
        # @return [Boolean] whether it is said now for the first time
        def say(name, error)
          text = "resque-scheduler: #{name}: #{error.message.lines.first&.chomp}"
          return false if @said[name] == text

          @said.clear if @said.size >= MOST
          @said[name] = text
          OwnLog.say(:error, text)
          true
        end

        def over(name)
          @said.delete(name)
        end

        # Forgets what concerns others.
        def keep(names)
          @said = @said.slice(*names, "all")
        end
      end
    end
  end
end
