# frozen_string_literal: true

# An app whose jobs ask ActiveJob's adapter whether the server stops, as ActiveJob::Continuable does between steps.
require_relative "app"
require "active_job"
begin
  require "active_job/queue_adapters/sidekiq_adapter"
rescue LoadError
  require "active_job/queue_adapters"
end

# As the adapters of Rails 8.1 and Sidekiq 8 do it, for those that are older.
unless ActiveJob::QueueAdapters::SidekiqAdapter.method_defined?(:stopping?)
  class ActiveJob::QueueAdapters::SidekiqAdapter
    def initialize
      Sidekiq.configure_server { |config| config.on(:quiet) { @stopping = true } }
    end

    def stopping?
      !!@stopping
    end
  end
end
ActiveJob::Base.queue_adapter = :sidekiq

class AskingJob
  include Noted

  def perform
    noted { sleep 0.01 until ActiveJob::Base.queue_adapter.stopping? }
  end
end
