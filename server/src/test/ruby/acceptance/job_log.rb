# frozen_string_literal: true

# An app whose jobs are logged, in the form that its environment is named by.
require_relative "app"

case ENV.fetch("RACK_ENV")
when "json" then Sidekiq.logger.formatter = Sidekiq::Logger::Formatters::JSON.new
when "bare" then Sidekiq.logger.formatter = Sidekiq::Logger::Formatters::WithoutTimestamp.new
when "own" then Sidekiq.logger.formatter = ->(level, _time, _name, text) { "#{level} jid=#{Sidekiq::Context.current[:jid]} #{text}\n" }
end
Sidekiq.logger.level = Logger::INFO

# A line of its own, and something for the log context.
class TalkingJob
  include Noted

  def perform(text)
    noted do
      logger.warn(text)
      Sidekiq::Context.add(:said, text.size)
    end
  end
end

class LoudFailure
  include Noted

  sidekiq_options retry: false

  def perform
    raise ArgumentError, "mine\nin two lines"
  end
end

# Ends its process.
class ExitJob
  include Noted

  def perform
    Ledger.note("exit", jid)
    exit!(3)
  end
end

# Prints to standard error, past the logger.
class WarningJob
  include Noted

  def perform(is_quiet)
    noted do
      next if is_quiet

      warn("{\"mine\":\"#{jid}\"}")
      warn("odd \xff \u2028 \e[31mbytes\e[0m \x00\x07")
    end
  end
end
