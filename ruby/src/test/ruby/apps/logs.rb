# frozen_string_literal: true

# An app that keeps what it logs, as JSON, for RubyJobLogTest. It runs with the gem and without.

require "json"

LOGGED = Queue.new

# A log device.
class Kept
  def write(line)
    LOGGED << JSON.parse(line)
  end

  def close; end
end

# What was logged since the last call: severity, message, and of the context what does not change
# from run to run.
def logged
  Array.new(LOGGED.size) { LOGGED.pop }.map do |line|
    context = (line["ctx"] || {}).except("elapsed", "job", "context").compact.sort.map { |key, value| "#{key}=#{Array(value).join(",")}" }
    [line["lvl"], line["msg"].lines.first.to_s.chomp, *context].join(" ")
  end.join("\n")
end

# 6.x keeps its settings in Sidekiq itself.
CONFIG = Sidekiq.respond_to?(:default_configuration) ? Sidekiq.default_configuration : Sidekiq
OPTIONS = CONFIG.respond_to?(:[]=) ? CONFIG : Sidekiq.options

CONFIG.logger = Sidekiq::Logger.new(Kept.new, level: Logger::INFO)
Sidekiq.logger.formatter = Sidekiq::Logger::Formatters::JSON.new

TOLD = Queue.new
Sidekiq.configure_server do |config|
  config.error_handlers << ->(error, context) { TOLD << [error.class, error.message, context[:context], context[:jobstr]] }
end

class LogJob
  include Sidekiq::Job

  def perform(word = nil)
    raise "told to" if word == "raise"
    return if word.nil?

    logger.warn(word)
    Sidekiq::Context.with(step: 2) { logger.warn("within") } if word == "with"
    Sidekiq::Context.add(:left, "behind") if word == "add"
  end
end

class DeepJob
  include Sidekiq::Job

  def perform(depth = 0) = perform(depth + 1)
end

# Changes what the middleware after it and the job logger see.
class Retag
  def call(_job, payload, _queue)
    payload["args"] = ["from middleware"]
    yield
  end
end

# An app's own.
class OwnJobLogger < Sidekiq::JobLogger
  def call(job, queue)
    Sidekiq.logger.error("own #{job["jid"]} #{queue}")
    yield
  end
end
