# frozen_string_literal: true

require "json"
require "rufus-scheduler"
require "sidekiq"
require "sidekiq-scheduler/redis_manager"

# Stands in for the gem sidekiq-scheduler, which Debian does not have. It has the names, the keys in Redis and the blocks
# by which Mawashi meets the gem, as lib/sidekiq-scheduler.rb and lib/sidekiq-scheduler/{manager,redis_manager,schedule,
# scheduler,utils}.rb of 6.0.2 have them (https://github.com/sidekiq-scheduler/sidekiq-scheduler). Its times are those of
# the real gem rufus-scheduler. SIDEKIQ_SCHEDULER=.../lib runs the tests with the real one.
module SidekiqScheduler
  # Its methods of `Sidekiq` itself.
  module Schedule
    attr_reader :schedule

    def schedule=(entries)
      prepared = JSON.parse(JSON.generate(entries)).to_h do |name, entry|
        entry["class"] = entry.fetch("class", name)
        queue = infer_queue(entry["class"])
        [name, queue ? { "queue" => queue }.merge(entry) : entry]
      end
      (get_all_schedules.keys - prepared.keys).each { |name| RedisManager.call("HDEL", RedisManager.schedules_key, name) }
      prepared.each { |name, entry| set_schedule(name, entry) }
      @schedule = prepared
    end

    def set_schedule(name, entry)
      RedisManager.call("HSET", RedisManager.schedules_key, name, JSON.generate(entry))
    end

    def reload_schedule!
      @schedule = get_all_schedules
    end

    def get_all_schedules # rubocop:disable Naming/AccessorMethodName
      RedisManager.get_all_schedules.transform_values { |text| JSON.parse(text) }
    end

    private

    def infer_queue(name)
      Object.const_get(name).sidekiq_options["queue"]
    rescue NameError
      nil
    end
  end
  Sidekiq.extend(Schedule)

  # Its scheduler.
  class Scheduler
    class << self
      attr_writer :instance

      def instance
        @instance ||= new
      end
    end

    attr_accessor :dynamic, :enabled
    attr_reader :scheduled_jobs

    def initialize(settings = {})
      @enabled = settings.fetch(:enabled, true)
      @dynamic = settings[:dynamic]
    end

    def load_schedule!
      Sidekiq.reload_schedule! if dynamic
      @scheduled_jobs = {}
      Sidekiq.schedule.each { |name, entry| load_schedule_job(name, entry) }
    end

    def load_schedule_job(name, entry)
      kind = %w[cron every at in interval].find { |one| entry[one] && entry[one].length.positive? }
      text, options = entry[kind]
      @scheduled_jobs[name] = new_job(name, kind, entry, text, (options || {}).transform_keys(&:to_sym))
      next_time = @scheduled_jobs[name].next_time.to_s
      RedisManager.call("HSET", "#{RedisManager.key_prefix}sidekiq-scheduler:next_times", name, next_time)
    end

    def idempotent_job_enqueue(name, time, config)
      handle_errors { enqueue_job(config, time) } if RedisManager.register_job_instance(name, time)
    end

    def enqueue_job(config, _time = Time.now)
      Sidekiq::Client.push(config.merge("class" => Object.const_get(config["class"]), "args" => Array(config["args"])))
    end

    def job_enabled?(name)
      state = RedisManager.get_job_state(name)
      (state ? JSON.parse(state) : {}).fetch("enabled", Sidekiq.schedule[name].fetch("enabled", true))
    end

    def clear_schedule!
      @rufus_scheduler&.stop
    end

    private

    def new_job(name, kind, entry, text, options)
      @rufus_scheduler ||= Rufus::Scheduler.new
      @rufus_scheduler.public_send(kind, text, options.merge(job: true, tags: [name])) do |job, time|
        seconds = job.is_a?(Rufus::Scheduler::CronJob) && !job.cron_line.match?(time) ? job.cron_line.previous_time(time) : time
        idempotent_job_enqueue(name, seconds.to_t, Utils.sanitize_job_config(entry)) if job_enabled?(name)
      end
    end

    def handle_errors
      yield
    rescue StandardError => e
      Sidekiq.logger.info "#{e.class.name}: #{e.message}"
    end
  end
end

Sidekiq.configure_server do |config|
  config.on(:startup) do
    settings = config.respond_to?(:options) ? config.options[:scheduler] : config[:scheduler]
    SidekiqScheduler::Scheduler.instance = SidekiqScheduler::Scheduler.new(settings || {})
    Sidekiq.schedule = settings[:schedule] if settings && !settings[:dynamic]
    SidekiqScheduler::Scheduler.instance.load_schedule!
  end
  config.on(:quiet) { SidekiqScheduler::Scheduler.instance.clear_schedule! }
end
