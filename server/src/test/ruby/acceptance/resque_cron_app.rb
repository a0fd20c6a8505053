# frozen_string_literal: true

# The app with the schedules of resque-scheduler.
require_relative "resque_app"
require_relative "../../../../../ruby/src/test/ruby/apps/resque_scheduler"

Resque.redis = Resque::DataStore.new(Resque::Connection.new { |words| Sidekiq.redis { |redis| redis.call(*words) } }, "app")
Resque::Scheduler.dynamic = true

module Handler
  def self.on_enqueue_failure(_config, error)
    Ledger.note("refused", error.class)
  end
end
Resque::Scheduler.failure_handler = Handler

class HookedJob < NotedJob
  @queue = :high

  def self.before_enqueue_note(*)
    Ledger.note("hook", "pulse", name)
  end
end

Resque.schedule = {
  "pulse" => { "cron" => "* * * * * *", "class" => "HookedJob", "args" => ["pulse"] },
  "kept" => { "every" => ["1s", { "first_in" => "1s" }], "class" => "NotedJob", "args" => ["kept"], "queue" => "kept" },
  "bad" => { "cron" => "now and then", "class" => "NotedJob" }
}
