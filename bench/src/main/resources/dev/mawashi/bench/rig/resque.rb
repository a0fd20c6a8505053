# frozen_string_literal: true

# A Resque worker, put together as `rake resque:work` does it.
require "resque"
require File.expand_path(ARGV.fetch(0))

Resque.redis = ENV.fetch("REDIS_URL")
worker = Resque::Worker.new("default")
worker.term_timeout = 4
worker.prepare
worker.work(5)
