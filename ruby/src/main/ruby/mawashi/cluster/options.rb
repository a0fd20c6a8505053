# frozen_string_literal: true

require "mawashi/cluster/url"

module Mawashi
  module Cluster
    # The options of a connection to a Cluster, in the terms of Ruby's Redis libraries, which know no such URL.
    module Options
      # Options of a connection that name another place, whatever the environment says.
      PLACES = %i[host path sentinels nodes cluster].freeze
      # Of a connection by these a URL says nothing more.
      NO_URL = "redis://localhost"
      private_constant :PLACES, :NO_URL

      class << self
        # @param options [Hash{Symbol=>Object}] what `config.redis=` took
        # @param library [Symbol] :redis_client or :redis
        # @yieldreturn [String, nil] the URL of the environment
        # @return [Hash{Symbol=>Object}] what the library takes; the same where they name no Cluster
        # @raise [ArgumentError] when they cannot be those of a Cluster
        def for(options, library)
          text = options[:url] || yield
          return options unless Url.match?(text)
          return { **options, url: NO_URL } if options[:url].nil? && PLACES.any? { |name| options[name] }

          url = Url.new(text)
          raise ArgumentError, "a Redis Cluster has no database #{options[:db]}" unless ["", "0"].include?(options[:db].to_s)

          found = { username: url.user, password: url.password }.compact.merge(options)
          found[:url] = "redis#{"s" if url.tls?}://#{Url.host(*url.nodes.first)}"
          found[:ssl_params] = ssl_params(url.files).merge(options[:ssl_params].to_h) unless url.files.empty?
          found.update(library == :redis_client ? clients(url) : driver(url, options[:driver]))
        end

        private

        def clients(url)
          require "mawashi/cluster/clients"
          { client_implementation: Clients.new(url) }
        end

        def driver(url, driver)
          require "mawashi/cluster/gem_driver"
          { driver: GemDriver.new(url, driver) }
        end

        def ssl_params(files)
          require "openssl"
          {
            ca_file: files[:ca_file],
            cert: files[:cert] && OpenSSL::X509::Certificate.new(File.read(files[:cert])),
            key: files[:key] && OpenSSL::PKey.read(File.read(files[:key])),
            verify_mode: (OpenSSL::SSL::VERIFY_NONE if files[:verify_mode]),
          }.compact
        end
      end
    end
  end
end
