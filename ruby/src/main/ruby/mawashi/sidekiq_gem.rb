# frozen_string_literal: true

require "mawashi/arguments"
require "mawashi/class_lookup"
require "mawashi/cron/poller"
require "mawashi/gem_client"
require "mawashi/gem_config"
require "mawashi/gem_connections"
require "mawashi/gem_events"
require "mawashi/gem_handlers"
require "mawashi/gem_settings"
require "mawashi/origins"
require "mawashi/periodic"
require "mawashi/reliances"
require "mawashi/scheduler_gem"
require "mawashi/unique_start"

module Mawashi
  # The interface of the app's Sidekiq, be it the gem (6.x keeps its settings in `Sidekiq` itself, 7 and
  # later in a `Sidekiq::Config`) or the shipped API.
  class SidekiqGem
    include GemConfig
    include GemConnections
    include GemEvents
    include GemHandlers

    # Middleware that every Sidekiq 7+ installs: for its own sake, and for jobs that end early, to go on later.
    METRICS = "Sidekiq::Metrics::Middleware"
    ITERATION = "Sidekiq::Job::InterruptHandler"

    # The gem's version, "" for the shipped API, and the {Origins} of its settings.
    attr_reader :version, :origins

    def initialize(version, origins = Origins.new)
      @version = version
      @origins = origins
    end

    # @return [Array] see {GemSettings#server_settings}; where they came from, see {Origins#of}; and {Periodic.json}
    def server_settings
      settings = GemSettings.new(version).server_settings
      [*settings, origins.of(settings), Periodic.json]
    end

    # Has what is set in another way than before come from there.
    #
    # @return [SidekiqGem] itself
    def settings_changed_by(place)
      origins.changed(GemSettings.new(version).server_settings, place)
      self
    rescue Error
      # What is wrong is said when the server asks for the settings.
      self
    end

    # Says what the app relies on and does not get, see {Reliances#check}.
    def relies_on(reliances)
      GemSettings.new(version).check
      reliances.check
      @held_fields = reliances.held_fields
    end

    # @return [Array<String>] jobs with one of these fields are not begun without {#hold}
    def held_fields
      [*@held_fields, UniqueLock::START]
    end

    # Ends the run of a job with such a field, or frees its lock.
    #
    # @raise [Held]
    def hold(job)
      @held_fields&.each { |field| Reliances.hold(field) if job[field] }
      UniqueStart.call(job) if job[UniqueLock::START]
    end

    # Whether the app uses the API in `mawashi/shim`.
    def shipped?
      version.empty?
    end

    # Drops what counts for a launcher that does not run here, makes what threads are to find, replaces what it would start.
    #
    # @param follow see {GemClient.install}
    def after_app(follow = nil)
      GemClient.install(make_pools, follow) unless shipped?
      dropped = server_middleware.entries.reject! { |entry| entry.klass.to_s == METRICS }
      @counts_runs = shipped? || !dropped.nil?
      [Cron::Poller, SchedulerGem, Periodic].each { |schedules| schedules.join(self) }
    end

    # Whether runs are counted by class; an app can do without by taking Sidekiq's middleware out.
    def counts_runs?
      @counts_runs
    end

    def server_middleware
      config? ? config.server_middleware : Sidekiq.server_middleware
    end

    # Finds job classes by their names.
    def class_lookup
      ClassLookup
    end

    # @return [Symbol] what goes through the chain: :all jobs, those alone that raise `Sidekiq::Job::Interrupted`
    #   (:interrupts), or :none
    def chain_use
      names = server_middleware.entries.map { |entry| entry.klass.to_s }
      return :none if names.empty?

      names == [ITERATION] ? :interrupts : :all
    end

    # @return [Object, nil] the reloader that a Rails app has set, called with a block around a job
    def reloader
      return if shipped?

      plain = config? ? Sidekiq::Config::DEFAULTS[:reloader] : Sidekiq::DEFAULTS[:reloader]
      current = settings[:reloader]
      current unless current.nil? || current.equal?(plain)
    end

    # @return [Class, nil] raised where a middleware has seen to the job itself
    def handled_error
      Sidekiq::JobRetry::Handled if defined?(Sidekiq::JobRetry::Handled)
    end

    # Whether every job goes through the job logger. Otherwise only those do that ask for a level of
    # their own.
    def logs_jobs?
      return true if settings[:job_logger]
      return false if settings[:skip_default_job_logging] && since?("7.3")

      Sidekiq.logger.info?
    end

    # @return [Object] a job logger made as the gem's version makes it
    def new_job_logger(type = settings[:job_logger] || Sidekiq::JobLogger)
      return type.new unless config?

      type.new(since?("7.3") ? config : config.logger)
    end

    private

    def since?(wanted)
      shipped? || Gem::Version.new(version) >= Gem::Version.new(wanted)
    end
  end
end
