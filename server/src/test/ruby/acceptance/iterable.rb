# frozen_string_literal: true

# An app whose jobs are done in steps, each of which must be done once.
require_relative "app"

Sidekiq.configure_server { |config| config.on(:quiet) { Ledger.note("quiet") } }

unless defined?(Sidekiq::IterableJob)
  require_relative "resumed"

  Sidekiq.configure_server do |config|
    config.server_middleware { |chain| chain.prepend(Resumed::Handler) }
  end
end

# Under a gem that has iterable jobs itself, an app without middleware, and a job that is one by hand.
BY_HAND = defined?(Sidekiq::IterableJob) && defined?(Sidekiq::VERSION)
Sidekiq.configure_server { |config| config.server_middleware.remove(Around) } if BY_HAND

# Waits at a gate in its steps 10 and 20.
class StepsJob
  if BY_HAND
    include Sidekiq::Job
    include Sidekiq::Job::Iterable
  else
    include defined?(Sidekiq::IterableJob) ? Sidekiq::IterableJob : Resumed
  end

  sidekiq_options retry: 3

  def build_enumerator(steps, cursor:)
    array_enumerator((0...steps).to_a, cursor: cursor)
  end

  def each_iteration(step, _steps)
    Ledger.note("at", "#{jid}-#{step}")
    Ledger.pass("gate#{step}") if [10, 20].include?(step)
    Ledger.note("step", "#{jid}-#{step}")
  end

  def on_resume
    Ledger.note("resumed", jid)
  end

  def on_complete
    Ledger.note("end", jid, self.class)
  end
end
