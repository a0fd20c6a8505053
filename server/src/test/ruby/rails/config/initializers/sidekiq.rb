# frozen_string_literal: true

require "sidekiq/middleware/current_attributes"
require "sidekiq/middleware/i18n"
require_relative "../../lib/middleware"

# Debian's redis gem is newer than its sidekiq gem, and warns of that with each push.
Redis.sadd_returns_boolean = false if defined?(Redis)

Rails.application.config.to_prepare { Sidekiq::CurrentAttributes.persist(Current) unless Current.persisted? }

Sidekiq.configure_client { |config| config.client_middleware { |chain| chain.add(Stamp) } }

Sidekiq.configure_server do |config|
  config.client_middleware { |chain| chain.add(Stamp) }
  config.server_middleware do |chain|
    chain.add(Inside, "inner")
    chain.prepend(Around, "outer")
  end
  config.error_handlers << ->(error, context, _config = nil) { Told.note("error", context[:job], error, context[:context]) }
  config.error_handlers << ->(_error, _context, _config = nil) { raise "a handler's own trouble" }
  config.death_handlers << ->(job, error) { Told.note("death", job, error, *job.keys) }
  config.capsule("wide") { |capsule| capsule.queues = %w[wide] } if config.respond_to?(:capsule)
  # Sidekiq 7 loses the metrics of the time after its last beat.
  config.on(:shutdown) { config[:lifecycle_events][:beat].each(&:call) } if config.respond_to?(:capsule)
  events = []
  %i[startup quiet shutdown].product(%w[first second]).each do |event, block|
    config.on(event) { Ledger.note("event", events.push(event).size, event, block) }
  end
end
