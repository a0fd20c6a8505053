# frozen_string_literal: true

require "mawashi/cluster/url"

module Mawashi
  # Redis Cluster, with all that a fleet has in one slot, on one node: the name of its {Url} is a tag before each key.
  # Commands, scripts and the gems' own pages need no change for that.
  module Cluster
    # @param connection [Object] of redis-client or redis, without a namespace
    # @return [Url, nil] of a connection to a Cluster. Nothing connects for this
    def self.of(connection)
      if defined?(::Redis) && connection.instance_of?(::Redis)
        driver = connection._client.options[:driver] if connection._client.respond_to?(:options)
        driver.url if defined?(GemDriver) && driver.is_a?(GemDriver)
      elsif connection.respond_to?(:config)
        config = connection.config
        config.owner.url if defined?(ClientConfig) && config.is_a?(ClientConfig)
      end
    end
  end
end
