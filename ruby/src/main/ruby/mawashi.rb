# frozen_string_literal: true

# The Ruby half of Mawashi, a job server that runs Sidekiq's jobs.
#
# Apps go on using the Sidekiq API, from their own sidekiq gem or, when they have none, from the
# small one in `mawashi/shim`. Nothing here patches the app or its gems, but for the URL of a Redis Cluster, which
# the sidekiq gem does not know by itself.
module Mawashi
  autoload :Lines, "mawashi/lines"
end

require "mawashi/version"
require "mawashi/error"
require "mawashi/cluster/sidekiq_pools"

Mawashi::Cluster::SidekiqPools.install
