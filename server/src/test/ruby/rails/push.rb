# frozen_string_literal: true

# Enqueues from MRI what the servers are then to run.
require "sidekiq"
require "rails"
require "sidekiq/rails"
require_relative "config/environment"

# It would say to which Redis it connects.
Sidekiq.logger.level = Logger::WARN

# So many failures before that a retry is due long after the test.
FAILED = { "retry_count" => 4 }.freeze

def push(kind, **fields)
  job = { "class" => "FailingJob", "args" => [kind], "queue" => "low" }
  job.update(FAILED) unless kind == "trouble"
  Sidekiq::Client.push(job.merge(fields.transform_keys(&:to_s)))
end

Current.tenant = "acme"
TellingJob.perform_async(1, 2.5, "é", nil, { "a" => [true, 1 << 80] })
TellingJob.set(queue: "high", tags: ["swap"]).perform_async("as pushed")
TellingJob.set(tags: ["swallow"]).perform_async
TellingJob.perform_in(0.5, "due")
TellingJob.perform_in(86_400, "tomorrow")
# Said of each job, or Sidekiq 8 would say it of some: of those that its poller enqueues after one that has a tenant.
Current.tenant = nil
I18n.with_locale(:de) { TellingJob.perform_async("auf deutsch") }

push("trouble", args: ["trouble", "again"])
push("trouble", retry: 1, backtrace: 2, tags: ["bt"], own: { "z" => 1.5, "a" => 12_345_678_901_234_567_890 })
push("plain", retry: true, retry_queue: "high", tags: ["swap"])
push("plain", retry: false)
push("plain", retry: 0)
push("plain", retry: 0, dead: false)
push("plain", at: Time.now.to_f + 0.5)
%w[bytes exit caused].each { |kind| push(kind) }
Sidekiq::Client.push("class" => "NoArgumentJob", "args" => [1], **FAILED)
Sidekiq::Client.push("class" => "NowhereJob", "args" => [1], **FAILED)
Sidekiq::Client.push("class" => "NowhereJob", "args" => [1], "retry" => false)
# As another client may do it, without retry and queue.
now = Gem::Version.new(Sidekiq::VERSION) >= Gem::Version.new("8") ? (Time.now.to_f * 1_000).to_i : Time.now.to_f
bare = { "class" => "FailingJob", "args" => ["trouble"], "jid" => "bare", "locale" => "en", "stamp" => "by hand", "cattr" => {} }
[bare.merge("created_at" => now), bare.merge("jid" => "timeless")].each do |job|
  Sidekiq.redis { |connection| connection.lpush("queue:default", JSON.generate(job)) }
end

asks = ->(kind, **fields) { push(kind, class: "AskingJob", args: [kind], retry_count: nil, **fields) }
asks["discard", **(AskingJob::SEVEN ? {} : { retry: false })]
asks["nameless", retry: 3]
asks["exhaust", retry: 0]
# Where Rails' own cleaner is used.
asks["trace", retry: 3, backtrace: Gem::Version.new(Sidekiq::VERSION) >= Gem::Version.new("7.3") || 2]
SettingsJob.perform_async
SettingsJob.set(queue: AskingJob::SEVEN ? "wide" : "low").perform_async

ParentJob.perform_async
Time.use_zone("Hawaii") do
  ActiveTellingJob.perform_later(:parent, 1.minute, Time.zone.at(0), Thing.new("7"), word: { "x" => :y })
end
ActiveTellingJob.set(wait: 1.hour, queue: :low).perform_later("later")
ActiveTellingJob.perform_later(Thing.new("gone"))
%w[io key other].each { |kind| ActiveFailingJob.perform_later(kind) }
ActiveDyingJob.perform_later

# The ids by which they are known afterwards.
keys = Sidekiq.redis { |connection| connection.keys("queue:*") }
stored = Sidekiq.redis { |c| keys.flat_map { |key| c.lrange(key, 0, -1) } + c.zrange("schedule", 0, -1) }
jids = stored.flat_map { |text| [JSON.parse(text)["jid"], *text[/"job_id":"([^"]+)"/, 1]] }
File.write(File.join(ENV.fetch("LEDGER"), "jids"), jids.join("\n"))
