# frozen_string_literal: true

# Enqueues in all ways that the gem has.
class ParentJob
  include Sidekiq::Job

  def perform
    jids = [
      TellingJob.perform_async("child", 1 << 70),
      TellingJob.perform_in(3_600, "later"),
      TellingJob.set(queue: "unserved", tags: ["left"]).perform_async,
      Sidekiq::Client.push("class" => "TellingJob", "args" => ["by name"], "queue" => "high", "own" => { "a" => nil })
    ]
    bulk = TellingJob.perform_bulk([[1], [2.5], [nil]])
    refused = TellingJob.set(tags: ["refuse"]).perform_async
    Ledger.note("tell", jid, self.class, jids.map(&:size), bulk.size, refused.inspect)
    Sidekiq.redis { |connection| connection.incrby("app:counter", 5) }
    ActiveTellingJob.perform_later(:child)
  end
end
