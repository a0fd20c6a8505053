# frozen_string_literal: true

require "mawashi/cluster/options"

module Mawashi
  module Cluster
    # Has the app's sidekiq gem take the URL of a Cluster, in `config.redis` and in the environment. Its other
    # connections stay as they are.
    module SidekiqPools
      class << self
        # Does nothing without the gem. Where a bundle has it, it is loaded for this, as a whole: others ask whether
        # Sidekiq is there.
        def install
          require "sidekiq" if !defined?(::Sidekiq::RedisConnection) && bundled?
          ::Sidekiq::RedisConnection.singleton_class.prepend(Creating) if defined?(::Sidekiq::RedisConnection)
        end

        private

        def bundled?
          defined?(::Gem.loaded_specs) && ::Gem.loaded_specs.key?("sidekiq")
        end
      end

      # Goes before the gem's own method.
      module Creating
        def create(options = {})
          library = defined?(::Sidekiq::RedisClientAdapter) ? :redis_client : :redis
          super(Options.for(options.to_h.transform_keys(&:to_sym), library) { determine_redis_provider })
        end
      end
    end
  end
end
