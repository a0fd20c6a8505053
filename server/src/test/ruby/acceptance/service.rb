# frozen_string_literal: true

# The app of ServiceIT: what it logs as JSON must not tell whether sidekiq or Mawashi runs it.
require "sidekiq"

Sidekiq.logger.formatter = Sidekiq::Logger::Formatters::JSON.new

Sidekiq.configure_server do |config|
  %i[startup heartbeat quiet shutdown].each do |event|
    config.on(event) { Sidekiq.logger.info("event #{event}") }
  end
end

class GoodJob
  include Sidekiq::Job

  def perform(word)
    logger.info("at work on #{word}")
  end
end

class BadJob
  include Sidekiq::Job
  sidekiq_options retry: false

  def perform
    raise "told to"
  end
end

class LastJob < GoodJob; end
