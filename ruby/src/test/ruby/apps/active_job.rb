# frozen_string_literal: true

# An app with ActiveJob and an older sidekiq gem, for ActiveJobTest. No Rails around it.

# ActiveSupport 6.1 expects it to be there.
require "logger"
require "active_job"
require "active_support/core_ext/integer/time"
require "active_support/core_ext/time"
require "global_id"
require "sidekiq/middleware/current_attributes"
require "sidekiq/middleware/i18n"

SEEN = Queue.new

I18n.available_locales = %i[en de]
Time.zone_default = Time.find_zone!("UTC")
GlobalID.app = "tests"
ActiveJob::Base.queue_adapter = :sidekiq
ActiveJob::Base.logger = Logger.new(IO::NULL)
# What sidekiq/rails does in a Rails app.
ActiveJob::Base.include(Sidekiq::Worker::Options)

class Current < ActiveSupport::CurrentAttributes
  attribute :tenant
end
Sidekiq::CurrentAttributes.persist(Current)

# Found by its id, as a record is, until it is gone.
class Thing
  include GlobalID::Identification

  attr_reader :id

  def initialize(id)
    @id = id
  end

  def self.find(id)
    raise KeyError, "no thing #{id}" if id == "gone"

    new(id)
  end
end

class TellingJob < ActiveJob::Base
  def perform(*args, **options)
    thing = args.first
    args[0] = "thing #{thing.id}" if thing.is_a?(Thing)
    SEEN << [args, options, provider_job_id, I18n.locale, Time.zone.name, Current.tenant]
  end
end

class StubbornJob < ActiveJob::Base
  retry_on(ArgumentError, wait: 0, attempts: 2) { |_job, error| SEEN << [:gave_up, error.message] }
  discard_on(KeyError) { |_job, error| SEEN << [:discarded, error.message] }

  def perform(word)
    raise KeyError, "no key" if word == "key"

    raise ArgumentError, "run #{executions}"
  end
end

class AskedJob < ActiveJob::Base
  sidekiq_options retry: 3
  sidekiq_retry_in { |count| 700 + count }

  def perform
    raise "told to"
  end
end
