# frozen_string_literal: true

# What belongs to a request, and to the jobs that it enqueues.
class Current < ActiveSupport::CurrentAttributes
  attribute :tenant

  def self.persisted?
    config = Sidekiq.respond_to?(:default_configuration) ? Sidekiq.default_configuration : Sidekiq
    config.client_middleware.exists?(Sidekiq::CurrentAttributes::Save)
  end
end
