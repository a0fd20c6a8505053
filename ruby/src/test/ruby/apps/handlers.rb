# frozen_string_literal: true

# An app with error handlers of every shape, for RubyErrorHandlersTest.

TOLD = Queue.new

class ObjectHandler
  def call(error, context)
    TOLD << [:object, error.class.name, context.dig(:job, "jid")]
  end
end

Sidekiq.configure_server do |config|
  config.error_handlers << ->(error) { TOLD << [:one, error.message] }
  config.error_handlers << ->(_error, context) { TOLD << [:two, context[:context]] }
  config.error_handlers << ->(_error, _context, *more) { TOLD << [:more, more.map { |one| one.class.name }] }
  config.error_handlers << ->(_error, _context) { raise "the handler broke" }
  config.error_handlers << ObjectHandler.new
end

class FailingJob
  include Sidekiq::Job
  sidekiq_retry_in { |*| raise "no idea when" }

  def perform(deed)
    raise IOError, "it failed" if deed == "fail"

    begin
      raise IOError, "seen to"
    rescue IOError
      raise Sidekiq::JobRetry.const_get(deed)
    end
  end
end
