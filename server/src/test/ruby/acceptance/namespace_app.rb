# frozen_string_literal: true

# An app with a namespace, as those with Sidekiq 6 or older have it by the gem redis-namespace.
# Debian keeps that gem where its own Ruby looks, and JRuby does not.
$LOAD_PATH << "/usr/lib/ruby/vendor_ruby" if RUBY_ENGINE == "jruby"
$LOAD_PATH << File.expand_path("../../../../../ruby/src/main/ruby", __dir__) unless defined?(Mawashi)

require_relative ENV.fetch("BASE_APP", "app")
require "mawashi/unique"

Sidekiq::Enterprise.unique!

redis = { url: ENV.fetch("REDIS_URL"), namespace: ENV.fetch("OWN_NAMESPACE") }
Sidekiq.configure_server { |config| config.redis = redis }
Sidekiq.configure_client { |config| config.redis = redis }

class UniqueGateJob < GateJob
  sidekiq_options unique_for: 600
end

# Enqueues in each way that there is.
class ForwardJob
  include Noted

  def perform
    noted do
      PlainJob.perform_async
      PlainJob.perform_in(0.1)
      Sidekiq::Client.push_bulk("class" => PlainJob, "args" => [[1], [2]])
      Sidekiq.redis { |connection| connection.incr("forwarded") }
    end
  end
end
