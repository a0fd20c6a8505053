# frozen_string_literal: true

# An app of Sidekiq Enterprise's, without that gem. PERIODIC has more lines for the block.
require_relative "app"

class Nightly
  include Sidekiq::Job
  sidekiq_options queue: "low", retry: 3, tags: ["a"]

  def perform(*); end
end

Sidekiq.configure_server do |config|
  config.periodic do |mgr|
    mgr.register("* * * * * *", "PlainJob", args: ["pulse"])
    mgr.tz = "America/Chicago"
    mgr.register("* * * * * *", Nightly, retry: 2, queue: "own", "args" => [1])
    mgr.register("0 4 * * *", "Nightly", tz: "Asia/Tokyo")
    mgr.register("0 4 * * *", "NoSuchJob", queue: "lost")
    eval(ENV.fetch("PERIODIC", ""), binding, "more.rb", 1)
  end
end
