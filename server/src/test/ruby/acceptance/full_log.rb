# frozen_string_literal: true

# An app that logs, and cannot.
require_relative "app"

Sidekiq.logger.level = Logger::INFO
Sidekiq.configure_server { |config| config.error_handlers << ->(*) { $stderr.puts("handled") } }

class LoudJob
  include Noted

  sidekiq_options retry: false

  def perform
    noted do
      logger.info("at work")
      warn "still at work"
    end
  end
end

# Fails by itself, at once for good.
class LoudFailure < LoudJob
  def perform
    logger.warn("about to fail")
    raise ArgumentError, "mine"
  end
end

# Prints without a logger in between, so that its own code raises where standard output cannot be written.
class PrintingJob < LoudJob
  def perform
    noted { puts "printed" }
  end
end

# Sends what its own process prints to a full disk, where it stays until the job is over.
class ElsewhereJob < LoudJob
  def perform
    STDOUT.reopen("/dev/full", "w").sync = false
    noted { STDOUT.write("printed") }
  end
end
