# frozen_string_literal: true

# Notes what jobs can read of the server's settings, and whether they can change them.
class SettingsJob
  include Sidekiq::Job

  def perform
    Ledger.note("tell", jid, self.class, concurrency, frozen_settings, capsule)
  end

  private

  def config
    Sidekiq.default_configuration if Sidekiq.respond_to?(:default_configuration)
  end

  def concurrency
    config ? [config[:concurrency], Sidekiq::CLI.instance.config.equal?(config)] : Sidekiq.options[:concurrency]
  end

  def frozen_settings
    config && (config[:changed] = true)
  rescue FrozenError => e
    e.class
  end

  # The one whose connections to Redis a job is lent.
  def capsule
    config && config.capsules.filter_map { |name, capsule| name if capsule.redis_pool.equal?(Sidekiq.redis_pool) }
  end
end
