# frozen_string_literal: true

# The app of SettingsIT: writes down all that it can see of Sidekiq's settings, at three moments of its life. What the
# servers cannot have in common, such as a process id, is written as its form.
require "sidekiq"
require "json"

module Dump
  EVENTS = %i[startup quiet shutdown exit heartbeat beat].freeze
  CHANGES = ENV.fetch("CHANGES", "").split

  module_function

  def write(moment)
    lines = all.flat_map { |name, value| lines(name, value) }
    path = File.join(ENV.fetch("LEDGER"), "#{moment}.dump")
    # Several processes of a server write the same.
    part = "#{path}.#{Process.pid}"
    File.write(part, lines.sort.join("\n") << "\n")
    File.rename(part, path)
  end

  def lines(name, value)
    return ["#{name}: #{text(value)}"] unless value.is_a?(Hash) && !value.empty?

    value.flat_map { |key, inner| lines("#{name}.#{key}", inner) }
  end

  # The same in every Ruby, unlike `inspect`.
  def text(value)
    case value
    when Hash then "{#{value.map { |key, inner| "#{key.inspect}=>#{text(inner)}" }.join(", ")}}"
    when Array then "[#{value.map { |inner| text(inner) }.join(", ")}]"
    else value.inspect
    end
  end

  def all
    {
      options: options, command: command, logger: logger, jobs: jobs, middleware: middleware,
      process: process, capsules: capsules
    }.compact
  end

  def config
    Sidekiq.default_configuration if Sidekiq.respond_to?(:default_configuration)
  end

  def raw
    config ? config.instance_variable_get(:@options) : Sidekiq.options
  end

  def options
    shown = raw.to_h { |key, value| [key, form(key, value)] }
    shown.merge(frozen: raw.frozen?)
  end

  def form(key, value)
    case key
    when :error_handlers, :death_handlers then value.size
    when :lifecycle_events then EVENTS.to_h { |event| [event, value[event]&.size] }
    when :identity then value&.sub(/\A(.+):\d+:\h{12}\z/, '\1:PID:NONCE')
    when :config_file then value && File.basename(value)
    when :reloader, :backtrace_cleaner, :job_logger then value.class.name
    else value.is_a?(Set) ? [:set, *value] : value
    end
  end

  def command
    cli = Sidekiq::CLI.instance
    {
      environment: cli.environment,
      config: config && cli.config.equal?(config), stopping: cli.launcher&.stopping?
    }
  end

  def logger
    log = Sidekiq.logger
    { class: log.class.name, level: log.level, formatter: log.formatter.class.name, sync: $stdout.sync }
  end

  def jobs
    defaults = Sidekiq.respond_to?(:default_job_options) ? Sidekiq.default_job_options : Sidekiq.default_worker_options
    { defaults: defaults, server: !!Sidekiq.server?, pro: !!Sidekiq.pro?, options: DumpJob.get_sidekiq_options }
  end

  def middleware
    [config || Sidekiq].to_h do |from|
      [:chains, [from.server_middleware, from.client_middleware].map { |chain| names(chain) }]
    end
  end

  # Without what counts for Sidekiq's metrics, which is the server's to do.
  def names(chain)
    chain.entries.map { |entry| entry.klass.to_s } - ["Sidekiq::Metrics::Middleware"]
  end

  def process
    { words: ARGV, within: Thread.current[:within], env: ENV.to_h.slice("RAILS_ENV", "RACK_ENV"), folder: Dir.pwd }
  end

  def capsules
    config&.capsules&.transform_values do |capsule|
      { concurrency: capsule.concurrency, queues: capsule.queues, weights: capsule.weights, mode: capsule.mode }
    end
  end
end

class Around
  def call(*)
    Thread.current[:within] = true
    yield
  end
end

class DumpJob
  include Sidekiq::Worker

  def perform(moment)
    Dump.write(moment)
  end
end

Dump.write("load")

Sidekiq.configure_server do |config|
  Dump::CHANGES.each do |change|
    case change
    when "queue"
      config.respond_to?(:options) ? config.options[:queues] << "extra" : config.queues = config.queues + ["extra"]
    when "concurrency"
      config.respond_to?(:options) ? config.options[:concurrency] = 4 : config.concurrency = 4
    when "handlers"
      config.error_handlers << ->(*) {}
      config.death_handlers << ->(*) {}
      config.on(:shutdown) {}
      config.average_scheduled_poll_interval = 7
    when "trap" then trap("TERM") {}
    when "startup-middleware"
      config.on(:startup) { config.server_middleware { |chain| chain.add(Around) } }
    when "startup-queue"
      config.on(:startup) do
        config.respond_to?(:options) ? config.options[:queues].unshift("alive") : config.queues = ["alive", *config.queues]
      end
    when "startup-concurrency"
      config.on(:startup) { config.respond_to?(:options) ? config.options[:concurrency] = 3 : config.concurrency = 3 }
    when "startup-capsule"
      config.on(:startup) do
        next unless config.respond_to?(:capsule)

        config.capsule("own") { |capsule| capsule.queues = ["own"]; capsule.concurrency = 1 }
      end
    end
  end
  config.on(:startup) { Dump.write("startup") }
end
