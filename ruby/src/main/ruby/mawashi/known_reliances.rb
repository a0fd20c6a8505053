# frozen_string_literal: true

module Mawashi
  # The things that apps rely on beside Sidekiq itself, and how far they get them here. The table in
  # docs/guide/differences.md says the same, by `reliances_test.rb`.
  #
  # name::     of the gem or the field; also what `--accept` takes
  # constant:: is defined once the gem is loaded; of a field, where a gem sees to it
  # works::    :yes; :part, which is a warning; :no, which stops the start, or holds jobs with the field
  # here::     what becomes of it here
  # instead::  what an operator can do
  # tried::    versions with which a start and jobs were tried; nil where only the source was read, or cannot be
  module KnownReliances
    Gem = Struct.new(:name, :constant, :works, :here, :instead, :tried, keyword_init: true)
    Field = Struct.new(:name, :constant, :works, :here, :instead, keyword_init: true)

    # Files whose lifecycle blocks count once in a server, however many processes it has.
    ONCE = %w[/sidekiq-scheduler.rb /sidekiq/cron/schedule_loader.rb /mawashi/cron/poller.rb
              /mawashi/scheduler_gem.rb /mawashi/resque/cron/poller.rb].freeze

    FORKED = "threads that it starts before the fork are gone in children; start it in `config.on(:startup)`"

    GEMS = [
      Gem.new(name: "sidekiq-cron", constant: "Sidekiq::Cron", works: :yes,
              here: "its schedules enqueue their jobs, each time once also with a Sidekiq beside",
              tried: "1.2.0, 1.6.0, 1.8.0, 2.3.1"),
      Gem.new(name: "sidekiq-scheduler", constant: "SidekiqScheduler", works: :yes,
              here: "its schedules enqueue their jobs, each time once with any number of servers",
              tried: "4.0.3, 5.0.6, 6.0.2"),
      Gem.new(name: "resque-scheduler", constant: "Resque::Scheduler", works: :yes,
              here: "its schedules enqueue their jobs in a server that works on Resque's queues", tried: "4.9.0, 5.0.0"),
      Gem.new(name: "sidekiq-throttled", constant: "Sidekiq::Throttled", works: :no,
              here: "jobs run unthrottled, since Sidekiq's fetch does not run",
              instead: "limit a queue with `concurrency` in config/mawashi.yml", tried: "0.13.0"),
      Gem.new(name: "sidekiq-limit_fetch", constant: "Sidekiq::LimitFetch", works: :no,
              here: "its limits are not kept, since Sidekiq's fetch does not run",
              instead: "limit a queue with `concurrency` in config/mawashi.yml", tried: "4.4.1"),
      Gem.new(name: "sidekiq-unique-jobs", constant: "SidekiqUniqueJobs", works: :yes,
              here: "its reaper knows jobs in hand, in a Sidekiq beside if the app has `mawashi/unique_jobs`",
              tried: "7.1.33, 8.1.0"),
      Gem.new(name: "gitlab-sidekiq-fetcher", constant: "Sidekiq::BaseReliableFetch", works: :part,
              here: "its fetch does not run, and no job is lost without it; what it left in its working queues stays",
              instead: "stop the last Sidekiq that has it cleanly", tried: "0.8.0"),
      Gem.new(name: "sidekiq-status", constant: "Sidekiq::Status", works: :yes, here: "its middleware runs",
              tried: "3.0.3"),
      Gem.new(name: "sidekiq-failures", constant: "Sidekiq::Failures", works: :yes, here: "its middleware runs",
              tried: "1.0.1"),
      Gem.new(name: "sidekiq-batch", constant: "Sidekiq::Batch::Extension", works: :part,
              here: "callbacks run; it counts a batch's jobs after it has enqueued them, and one that ends before leaves keys",
              instead: "enqueue the jobs of a batch with `perform_in(1, ...)`", tried: "0.1.9"),
      Gem.new(name: "sidekiq_alive", constant: "SidekiqAlive", works: :part,
              here: "its queue is served; each child starts its server, and one gets the port",
              instead: "`mawashi health` and `--health PORT` answer probes"),
      Gem.new(name: "sidekiq-worker-killer", constant: "Sidekiq::WorkerKiller", works: :part,
              here: "when one process is too large it stops the whole server",
              instead: "set `memory_limit` in config/mawashi.yml, which replaces that process alone"),
      Gem.new(name: "sidekiq_process_killer", constant: "SidekiqProcessKiller", works: :part,
              here: "on mri its TERM has the child replaced, which ends its jobs; what still runs at its KILL runs again",
              instead: "set `memory_limit` in config/mawashi.yml, which kills a child above twice the limit only"),
      Gem.new(name: "job-iteration", constant: "JobIteration", works: :yes,
              here: "its jobs, and those of maintenance_tasks, end between two steps when the server stops"),
      Gem.new(name: "sidekiq-pro", constant: "Sidekiq::Pro", works: :no,
              here: "batches were never tried, super_fetch and its pause do not run",
              instead: "keep Sidekiq on the queues that need it"),
      Gem.new(name: "sidekiq-ent", constant: "Sidekiq::Enterprise::VERSION", works: :no,
              here: "periodic jobs and the leader do not run; rate limiters, unique jobs and encryption were never tried",
              instead: "keep Sidekiq on the queues that need it"),
      Gem.new(name: "sentry-sidekiq", constant: "Sentry::Sidekiq", works: :yes,
              here: "its middleware and its error handler run", tried: "5.3.0"),
      Gem.new(name: "newrelic_rpm", constant: "NewRelic::Agent", works: :part,
              here: "its middleware runs; it does not know the process by its name",
              instead: "set NEW_RELIC_DISPATCHER=sidekiq; #{FORKED}", tried: "10.5.0"),
      Gem.new(name: "datadog", constant: "Datadog::Tracing::Contrib::Sidekiq", works: :part,
              here: "its middleware runs; spans of fetch, heartbeat and poller do not come", instead: FORKED),
      Gem.new(name: "elastic-apm", constant: "ElasticAPM", works: :part,
              here: "its middleware runs; it starts with Sidekiq's processor, which does not run",
              instead: "call `ElasticAPM.start` in `config.on(:startup)`", tried: "4.9.0"),
      Gem.new(name: "opentelemetry-instrumentation-sidekiq", constant: "OpenTelemetry::Instrumentation::Sidekiq",
              works: :part, here: "its middleware runs; spans of processor, launcher and poller do not come",
              instead: FORKED, tried: "0.29.0")
    ].freeze

    FIELDS = [
      Field.new(name: "encrypt", works: :no, here: "held: the last argument would be its ciphertext",
                instead: "have a Sidekiq Enterprise work off the queue"),
      Field.new(name: "bid", constant: "Sidekiq::Batch", works: :no,
                here: "held where the app has no gem for batches: the batch would never end",
                instead: "load the gem that made the batch, or have Sidekiq work off the queue"),
      Field.new(name: "expires_in", works: :yes, here: "a job does not begin after its time"),
      Field.new(name: "unique_for", works: :yes,
                here: "with `mawashi/unique` in the app; a lock of Sidekiq Enterprise's stays until its time is over")
    ].freeze

    WORDS = { yes: "works", part: "works in part", no: "does not work" }.freeze
    private_constant :WORDS

    # @return [Array<Array<String>>] what the guide's table says
    def self.rows
      (GEMS + FIELDS).map do |known|
        tried = (known.tried || "no" if known.is_a?(Gem))
        ["`#{known.name}`", WORDS[known.works], [known.here, known.instead].compact.join("; "), tried.to_s]
      end
    end
  end
end
