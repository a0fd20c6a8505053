# frozen_string_literal: true

require "mawashi/cluster/sidekiq_pools"
require "uri"

module Mawashi
  # A Redis behind Sentinels, with TLS files of its own or at a Unix socket, in the terms of Ruby's Redis libraries, which
  # have no URL for it, or the older no database in it. The form of the URL is the server's, which checks it. That of a
  # {Cluster} stays as it is.
  module RedisPlace
    FORM = %r{\A(rediss?)(\+sentinel)?://(?:(.*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?}i.freeze
    UNIX = %r{\Aunix://(?:([^/].*)?@(?=/))?(/[^?#]*)(?:\?([^#]*))?}i.freeze
    SENTINEL_PORT = 26_379
    # Options of a connection that name a place.
    NAMES = %i[url host path sentinels].freeze
    private_constant :FORM, :UNIX, :SENTINEL_PORT

    # From Sidekiq 7 on what is set is merged with what was set before. Of two places that are mixed neither is meant.
    module Replacing
      # @example
      #   config.redis = { url: "redis://localhost:6379/1" }
      def redis=(options)
        @redis_config = RedisPlace.kept(@redis_config, options) if defined?(@redis_config)
        super
      end
    end

    class << self
      # Has jobs enqueue into the Redis where the server looks, also when `--redis` named it.
      #
      # @param url [String] the server's
      def give(url)
        ENV["REDIS_URL"] = plain_url(url)
        ENV.delete("REDIS_PROVIDER")
        @given = options(url)
      end

      # Has the app's Sidekiq look there. What the app itself sets comes later, and counts.
      def offer
        Cluster::SidekiqPools.install
        return unless @given

        config = Sidekiq.respond_to?(:default_configuration) ? Sidekiq.default_configuration : Sidekiq
        config.redis = @given
        config.singleton_class.prepend(Replacing)
      end

      # Takes the server's part out of what Sidekiq has merged, where the app names a place of its own.
      #
      # @param merged [Hash{Symbol=>Object}, nil]
      # @param options [Hash] of the app
      def kept(merged, options)
        place = options.to_h.transform_keys(&:to_sym).slice(*NAMES).compact
        return merged if place.empty? || place == { url: ENV["REDIS_URL"] }

        merged&.reject { |name, value| @given[name].equal?(value) }
      end

      # @param url [String]
      # @return [String] for an app that reads `REDIS_URL`: behind Sentinels the master's name is the host
      def plain_url(url)
        scheme, sentinel, login, _, path, = parts(url)
        return url unless sentinel

        "#{scheme.downcase}://#{"#{login}@" if login}#{path.delete_prefix("/")}"
      end

      # @param url [String]
      # @return [Hash{Symbol=>Object}, nil] what `config.redis=` takes; nil where the URL alone says all
      # @raise [StandardError] when a file cannot be read
      def options(url)
        return unix(UNIX.match(url.to_s)) if UNIX.match?(url.to_s)

        scheme, sentinel, _, hosts, _, query = parts(url = url.to_s)
        return unless sentinel || query

        query = URI.decode_www_form(query.to_s.gsub("+", "%2B")).to_h
        options = { url: plain_url(url).sub(/\?.*/, "") }
        # Of a master's URL redis-client takes no scheme.
        tls = sentinel && scheme.casecmp?("rediss") ? { ssl: true } : {}
        options.update(sentinels: sentinels(hosts, query, tls), role: :master, **tls) if sentinel
        ssl = ssl_params(query)
        options[:ssl_params] = ssl unless ssl.empty?
        options
      end

      private

      # @return [Array] scheme, what says that there are Sentinels, login, hosts, path, query
      def parts(url)
        FORM.match(url).to_a.drop(1)
      end

      def unix(found)
        login, path, query = found.captures
        user, password = login.to_s.split(":", 2).map { |text| decoded(text) }
        place = { path: decoded(path), db: decoded(query.to_s[/\Adb=(.*)/i, 1].to_s).to_i }
        place.update({ username: user, password: password }.reject { |_, text| text.to_s.empty? })
      end

      # A plus is a plus.
      def decoded(text)
        URI.decode_www_form_component(text.gsub("+", "%2B"))
      end

      def sentinels(hosts, query, tls)
        login = { username: query["sentinel_username"], password: query["sentinel_password"] }.compact
        hosts.split(",").map do |text|
          _, host, port = */\A\[?(.*?)\]?(?::(\d+))?\z/.match(text)
          { host: host, port: (port || SENTINEL_PORT).to_i, **login, **tls }
        end
      end

      def ssl_params(query)
        files = query.slice("ca_file", "cert", "key", "verify_mode")
        return {} if files.empty?

        require "openssl"
        {
          ca_file: files["ca_file"],
          cert: files["cert"] && OpenSSL::X509::Certificate.new(File.read(files["cert"])),
          key: files["key"] && OpenSSL::PKey.read(File.read(files["key"])),
          verify_mode: (OpenSSL::SSL::VERIFY_NONE if files["verify_mode"] == "none"),
        }.compact
      end
    end
  end
end
