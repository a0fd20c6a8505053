# frozen_string_literal: true

# An app whose middleware keeps what jobs answer and tells error handlers of the tenant, for RubyMiddlewareTest.

TOLD = Queue.new

class Tenant
  def call(_job, payload, _queue)
    payload["tenant"] = "t1"
    answer = yield
    TOLD << [:answered, answer]
    :tenant
  end
end

class Outer
  def call(_job, _payload, _queue)
    yield.tap { |answer| TOLD << [:outer, answer] }
  end
end

class KeepingLogger
  def initialize(*); end

  def call(_payload, _queue)
    TOLD << [:logger, yield]
  end

  def prepare(_payload)
    yield
  end
end

Sidekiq.configure_server do |config|
  config.server_middleware do |chain|
    chain.add Outer
    chain.add Tenant
  end
  if ENV["KEEPING_LOGGER"]
    settings = config.respond_to?(:[]=) ? config : config.options
    settings[:job_logger] = KeepingLogger
  end
  config.error_handlers << ->(_error, context) { TOLD << [:failed, context[:job]["tenant"]] }
end

class AnsweringJob
  include Sidekiq::Job
  sidekiq_retry_in do |_count, _error, payload|
    TOLD << [:retry_in, payload && payload["tenant"]]
    nil
  end

  def perform(deed)
    raise IOError, "it failed" if deed == "fail"
    raise Sidekiq::JobRetry::Handled if deed == "handled"

    {"result" => deed}
  end
end
