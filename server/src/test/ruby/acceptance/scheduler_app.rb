# frozen_string_literal: true

# The same app with the gem sidekiq-scheduler.
require_relative "app"
require "sidekiq-scheduler"
