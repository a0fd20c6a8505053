# frozen_string_literal: true

require "mawashi/app_files"
require "mawashi/cluster"
require "uri"

module Mawashi
  # The Redis of one of the app's own connections, as a URL in the server's form, see {RedisPlace}. It is read from what the
  # Redis library has made of `config.redis` and the environment, so that its rules on what counts are the app's.
  class AppPlace
    SETTINGS = %i[host port path db username password ssl ssl_params].freeze
    DRIVERS = /\A(RedisClient::(Ruby|Hiredis)Connection|Redis::Connection::(Ruby|Hiredis|Synchrony))\z/.freeze
    DEFAULT_USER = "default"
    private_constant :SETTINGS, :DRIVERS, :DEFAULT_USER

    # @return [String] what the server cannot take of it; "" when it can take all
    attr_reader :obstacle

    # @return [String] with login; "" where it cannot be told
    attr_reader :url

    # @param connection [Object] of redis-client or redis, without a namespace
    def initialize(connection)
      @obstacle = ""
      @cluster = Cluster.of(connection)
      found = settings(connection)
      @url = found ? url_of(found) : ""
    end

    private

    def settings(connection)
      return of_redis(connection) if defined?(::Redis) && connection.is_a?(::Redis)

      config = connection.config if connection.respond_to?(:config)
      is_known = defined?(::RedisClient::Config::Common) && config.is_a?(::RedisClient::Config::Common)
      return refuse("its connections are of #{connection.class}") unless is_known

      config.sentinel? ? of_sentinels(config) : of_config(config)
    end

    # A new one has the settings as they were given: one behind Sentinels is changed by its first use.
    def of_redis(connection)
      options = connection.dup._client.options
      refuse("it has a connector of its own") if options[:connector]
      driver(@cluster ? options[:driver].driver : options[:driver])
      found = options.slice(*SETTINGS, :sentinels)
      return found unless found[:sentinels]

      role(options[:role])
      found.update(sentinels: found[:sentinels].map { |one| one.transform_keys(&:to_sym) })
    end

    def of_config(config)
      driver(@cluster ? config.driver.superclass : config.driver)
      SETTINGS.to_h { |name| [name, config.public_send(name)] }
    end

    def of_sentinels(config)
      driver(config.driver)
      role(config.instance_variable_get(:@role))
      found = (SETTINGS - %i[host port path]).to_h { |name| [name, config.public_send(name)] }
      sentinels = config.sentinels.map { |one| of_config(one) }
      refuse("only its Sentinels, or only its Redis, have TLS") if sentinels.any? { |one| !one[:ssl] != !found[:ssl] }
      found.update(host: config.name, sentinels: sentinels)
    end

    def driver(type)
      refuse("it has the driver #{type}") unless type.nil? || DRIVERS.match?(type.to_s)
    end

    def role(name)
      refuse("it asks Sentinels for a replica") unless name.nil? || name.to_s == "master"
    end

    def refuse(what)
      @obstacle = what if @obstacle.empty?
      nil
    end

    def url_of(found)
      return unix(found) if found[:path]

      tls = found[:ssl] ? "rediss" : "redis"
      query = found[:ssl] ? AppFiles.query(found[:ssl_params], @cluster) { |what| refuse(what) } : {}
      return "#{tls}+cluster://#{login(found)}#{@cluster.hosts}/#{encoded(@cluster.name)}#{query_of(query)}" if @cluster

      name = ""
      if (sentinels = found[:sentinels])
        tls += "+sentinel"
        name = "#{encoded(found[:host])}/"
        query.update(login_of(sentinels))
      end
      hosts = (sentinels || [found]).map { |one| host(one) }.join(",")
      "#{tls}://#{login(found)}#{hosts}/#{name}#{found[:db].to_i}#{query_of(query)}"
    end

    def query_of(options)
      text = options.map { |key, value| "#{key}=#{encoded(value)}" }.join("&")
      text.empty? ? "" : "?#{text}"
    end

    def unix(found)
      refuse("it has TLS at a Unix socket") if found[:ssl]
      "unix://#{login(found)}#{encoded(found[:path]).gsub("%2F", "/")}?db=#{found[:db].to_i}"
    end

    def host(place)
      name = place[:host].to_s.delete("[]")
      port = place[:port] || 26_379
      name.include?(":") ? "[#{name}]:#{port}" : "#{name}:#{port}"
    end

    # Without a password the libraries send no name.
    def login(found)
      user, password = names(found)
      password ? "#{encoded(user)}:#{encoded(password)}@" : ""
    end

    # A password may be asked of the app, which is given the name.
    def names(found)
      user = found[:username].to_s
      password = found[:password]
      password = password.call(user.empty? ? DEFAULT_USER : user) if password.respond_to?(:call)
      [user == DEFAULT_USER ? "" : user, (password.to_s unless password.to_s.empty?)]
    end

    def login_of(sentinels)
      logins = sentinels.map { |one| names(one) }.uniq
      refuse("its Sentinels have several logins") if logins.size > 1
      user, password = logins.first
      return {} unless password

      user.empty? ? { sentinel_password: password } : { sentinel_username: user, sentinel_password: password }
    end

    def encoded(text)
      URI.encode_www_form_component(text.to_s).gsub("+", "%20")
    end
  end
end
