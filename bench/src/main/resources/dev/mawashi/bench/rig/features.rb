# frozen_string_literal: true

# The app of the features benchmark: jobs that do nothing but be counted, with one option of today's apps. With
# BENCH_PUSH it is the client: it pushes so many, one by one as most apps do, and prints the seconds that took.
require_relative "noop"

FEATURE = ENV.fetch("BENCH_FEATURE")
OPTIONS = {
  "plain" => {},
  "cluster" => {},
  "unique_for" => { "unique_for" => 3_600 },
  "expires_in" => { "expires_in" => 3_600 },
  "sidekiq-unique-jobs" => { "lock" => "until_executed" }
}.fetch(FEATURE)

if FEATURE == "sidekiq-unique-jobs"
  require FEATURE
  Sidekiq.configure_client { |config| config.client_middleware { |chain| chain.add(SidekiqUniqueJobs::Middleware::Client) } }
  Sidekiq.configure_server { |config| config.server_middleware { |chain| chain.add(SidekiqUniqueJobs::Middleware::Server) } }
end

class FeatureJob < NoopJob
  sidekiq_options OPTIONS
end

if ENV["BENCH_PUSH"]
  require "mawashi" if FEATURE == "cluster"
  if FEATURE == "unique_for"
    require "mawashi/unique"
    Sidekiq::Enterprise.unique!
  end
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  Integer(ENV.fetch("BENCH_PUSH")).times { |number| FeatureJob.perform_async(number) }
  puts Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
end
