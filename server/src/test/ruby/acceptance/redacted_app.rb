# frozen_string_literal: true

# An app whose arguments nobody is to see.
require "sidekiq"
require_relative "ledger"

Redis.sadd_returns_boolean = false if defined?(Redis)

Sidekiq.configure_server do |config|
  # The app's own handler is given all.
  config.error_handlers << ->(_error, context, _config = nil) { Ledger.note("handler", context.dig(:job, "args").to_s) }
end

# Waits, or fails, and knows its arguments.
class CardJob
  include Sidekiq::Job

  def perform(what, options)
    Ledger.note("card", jid, what, options["card"])
    raise ArgumentError, "no luck" if what == "fail"

    Ledger.pass(what)
  end
end
