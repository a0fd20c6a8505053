# frozen_string_literal: true

# An app with its own sidekiq gem, for SidekiqGemTest. It does not require "sidekiq": Sidekiq's own
# command has loaded it by now, and so must we.

SEEN = Queue.new

# 6.x keeps its settings in Sidekiq itself.
CONFIG = Sidekiq.respond_to?(:default_configuration) ? Sidekiq.default_configuration : Sidekiq
OPTIONS = CONFIG.respond_to?(:[]=) ? CONFIG : Sidekiq.options

# @return [Array] each queue as often as its weight says, and whether their order is strict
def queues
  return OPTIONS.values_at(:queues, :strict) unless CONFIG.respond_to?(:default_capsule)

  [CONFIG.queues, CONFIG.default_capsule.mode == :strict]
end

# These tests are not about the log.
Sidekiq.logger.level = Logger::FATAL

class Outer
  def initialize(word)
    @word = word
  end

  def call(job, payload, queue)
    SEEN << [@word, job.class.name, payload["jid"], queue]
    payload["args"] = payload["args"] + [@word]
    yield
  ensure
    SEEN << ["after #{@word}"]
  end
end

class Inner < Outer; end

Sidekiq.configure_server do |config|
  SEEN << [:server]
  OPTIONS[:tag] = "set by the app"
  config.server_middleware do |chain|
    chain.add Outer, "outer"
    chain.add Inner, "inner"
  end
  %i[startup quiet shutdown].each do |event|
    config.on(event) { SEEN << [event, 1] }
    config.on(event) { SEEN << [event, 2] }
  end
  config.error_handlers << ->(error, context) { SEEN << [:error, error.message, context[:job]["jid"]] }
end

Sidekiq.configure_client { SEEN << [:client] }

class GemJob
  include Sidekiq::Job
  sidekiq_options retry: 2
  sidekiq_retry_in { |count, _error| 1_000 + count }

  def perform(*args)
    raise "told to" if args.first == "raise"
    raise Sidekiq::JobRetry::Skip if args.first == "skip"

    SEEN << [:perform, jid, args]
  end
end
