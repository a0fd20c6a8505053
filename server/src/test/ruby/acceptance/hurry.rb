# frozen_string_literal: true

# Makes all retries due, and tells in how many seconds the first and the last would have been.
require_relative "app"
require "sidekiq/api"

entries = Sidekiq::RetrySet.new.to_a
now = Time.now.to_f
seconds = entries.map { |entry| (entry.score - now).floor }
entries.each { |entry| entry.reschedule(now) }
puts seconds.minmax
