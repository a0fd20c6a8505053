# frozen_string_literal: true

require "uri"

module Mawashi
  module Cluster
    # The URL of a Redis Cluster, of which a fleet uses one slot:
    # `redis+cluster://[[user]:password@]host[:port],host[:port]/name`. The name is the tag of all its keys.
    class Url
      FORM = %r{\A(rediss?)\+cluster://(?:(.*)@)?([^@/?#]*)(?:/([^?#]*))?(?:\?([^#]*))?(?:#.*)?\z}i.freeze
      SCHEME = %r{\Arediss?\+cluster://}i.freeze
      NODE = /\A(\[[^\[\]]+\]|[^:\[\]\s]+)(?::(\d{1,5}))?\z/.freeze
      NAME = /\A[^[:space:]{}*?\[\]\\^:]{1,100}\z/.freeze
      DEFAULT_NAME = "mawashi"
      DEFAULT_PORT = 6379
      FILES = %w[ca_file cert key].freeze
      SLOTS = 16_384
      private_constant :FORM, :SCHEME, :NODE, :NAME, :DEFAULT_NAME, :DEFAULT_PORT, :FILES, :SLOTS

      # @param text [Object]
      # @return [Boolean] whether it names a Cluster, rightly or not
      def self.match?(text)
        SCHEME.match?(text.to_s)
      end

      # @return [String] a node, as a URL has it
      def self.host(host, port)
        host.include?(":") ? "[#{host}]:#{port}" : "#{host}:#{port}"
      end

      # @return [String] tag of the keys
      attr_reader :name
      # @return [Array<Array(String, Integer)>] host and port of some nodes
      attr_reader :nodes
      # @return [String, nil] of the login
      attr_reader :user, :password
      # @return [Hash{Symbol=>String}] files of TLS, and `verify_mode`
      attr_reader :files

      # @param text [#to_s]
      # @raise [ArgumentError] without the password in it
      def initialize(text)
        found = FORM.match(text.to_s) or refuse("has not the form redis+cluster://user:password@host:port,host:port/name")
        scheme, login, hosts, path, query = found.captures
        refuse("has a '?' before an '@': write %3F, or %40 for an '@' behind it") if login.to_s.include?("?")
        @is_tls = scheme.casecmp?("rediss")
        @user, @password = login.to_s.split(":", 2).map { |word| decoded(word) }.map { |word| word unless word.empty? }
        @nodes = (hosts.empty? ? [""] : hosts.split(",", -1)).map { |host| node(host) }
        @name = name_of(*path.to_s.split("/", 3))
        @files = files_of(query)
      end

      def tls?
        @is_tls
      end

      # @return [String] before each key
      def prefix
        "{#{name}}:"
      end

      # @return [Integer] where all these keys are: CRC16 in its variant XMODEM
      def slot
        sum = name.each_byte.reduce(0) do |crc, byte|
          8.times.reduce(crc ^ (byte << 8)) { |bits, _| (bits << 1 ^ (bits[15] * 0x1021)) & 0xffff }
        end
        sum % SLOTS
      end

      # @return [String] without login and files
      def to_s
        "redis#{"s" if tls?}+cluster://#{hosts}/#{URI.encode_www_form_component(name).gsub("+", "%20")}"
      end
      alias inspect to_s

      # @return [String] the nodes, as the URL has them
      def hosts
        nodes.map { |node| Url.host(*node) }.join(",")
      end

      # @return [Array] equal for two URLs of one place
      def place
        [:cluster, name, nodes.sort]
      end

      private

      def refuse(what)
        raise ArgumentError, "the URL of a Redis Cluster #{what}"
      end

      # A plus is a plus.
      def decoded(word)
        URI.decode_www_form_component(word.gsub("+", "%2B"))
      end

      def node(text)
        found = NODE.match(text) or refuse("has #{text.empty? ? "a node without host" : "the node #{text}"}, must be host:port")
        port = (found[2] || DEFAULT_PORT).to_i
        refuse("has the port #{port}, must be 1 to 65535") unless port.between?(1, 65_535)
        [found[1].delete("[]"), port]
      end

      def name_of(text = "", database = "", *)
        refuse("has a database, a Cluster has only 0: end it with /name") unless database.empty?
        return DEFAULT_NAME if text.empty?

        name = decoded(text)
        return name if name.valid_encoding? && NAME.match?(name)

        refuse("has a name that is no tag: 1 to 100 characters, no white space and none of {}*?[]\\^:")
      end

      def files_of(query)
        found = URI.decode_www_form(query.to_s.gsub("+", "%2B")).to_h
        files = found.slice(*FILES).transform_keys(&:to_sym)
        found["verify_mode"] == "none" ? files.merge(verify_mode: "none") : files
      end
    end
  end
end
