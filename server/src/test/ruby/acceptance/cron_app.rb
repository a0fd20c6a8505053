# frozen_string_literal: true

# The same app with the gem sidekiq-cron, whose poller waits as little as it can.
require_relative "app"
require "sidekiq/options"

Sidekiq::Options[:cron_schedule_file] = ENV["SCHEDULE"] || "none"
require "sidekiq-cron"
if Sidekiq::Cron.respond_to?(:configure)
  Sidekiq::Cron.configure do |config|
    config.cron_poll_interval = 1
    config.cron_schedule_file = ENV["SCHEDULE"] || "none"
  end
else
  Sidekiq::Options[:cron_poll_interval] = 1
end
Sidekiq::Options[:poll_interval_average] = 1
