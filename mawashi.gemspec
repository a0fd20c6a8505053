# frozen_string_literal: true

# What an app adds whose jobs Mawashi runs: the command `mawashi`, which finds the installed one, and Mawashi::Lines.
# It lies beside the sidekiq gem; who has none takes mawashi-sidekiq too.
Gem::Specification.new do |spec|
  # In a release, and in a checkout.
  ruby = %w[ruby ruby/src/main/ruby].find { |folder| File.file?(File.join(__dir__, folder, "mawashi.rb")) }
  spec.name = "mawashi"
  # Read and not loaded: inside the server the constant is there already.
  spec.version = File.read(File.join(__dir__, ruby, "mawashi/version.rb"))[/VERSION = "(.+)"/, 1]
  spec.summary = "The command mawashi in an app whose jobs Mawashi runs"
  spec.authors = ["The Mawashi authors"]
  spec.license = "Apache-2.0"
  spec.required_ruby_version = ">= 2.7"
  spec.files = %w[mawashi.rb mawashi/error.rb mawashi/fast_io.rb mawashi/lines.rb mawashi/native.rb mawashi/version.rb
                 mawashi/backlog.rb mawashi/reliable_push.rb mawashi/unique.rb mawashi/unique_lock.rb mawashi/unique_push.rb
                 mawashi/unique_script.rb mawashi/gem_client.rb mawashi/redis_pool.rb mawashi/redis_driver.rb
                 mawashi/unique_jobs.rb mawashi/in_hand.rb mawashi/own_log.rb mawashi/redis_place.rb
                 mawashi/namespaced_calls.rb mawashi/pool_place.rb
                 mawashi/cluster.rb mawashi/cluster/client_config.rb mawashi/cluster/client_connection.rb
                 mawashi/cluster/clients.rb mawashi/cluster/exchange.rb mawashi/cluster/gem_connection.rb
                 mawashi/cluster/gem_driver.rb mawashi/cluster/keys.rb mawashi/cluster/moved.rb mawashi/cluster/options.rb
                 mawashi/cluster/owner.rb mawashi/cluster/prefix.rb mawashi/cluster/sidekiq_pools.rb mawashi/cluster/url.rb]
               .map { |file| "#{ruby}/#{file}" } + %w[exe/mawashi] + Dir.chdir(__dir__) { Dir["LICENSE"] }
  spec.bindir = "exe"
  spec.executables = %w[mawashi]
  spec.require_paths = [ruby]
end
