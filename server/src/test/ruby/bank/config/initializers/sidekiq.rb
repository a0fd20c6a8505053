# frozen_string_literal: true

Sidekiq.configure_server do |config|
  # Sidekiq 7 loses the metrics of the time after its last beat.
  config.on(:shutdown) { config[:lifecycle_events][:beat].each(&:call) } if config.respond_to?(:capsule)
end
