# frozen_string_literal: true

require "mawashi/redis_place"
require "minitest/mock"
require "openssl"
require "tmpdir"

# URLs of the server in the terms of Ruby's libraries.
class RedisPlaceTest < Minitest::Test
  Place = Mawashi::RedisPlace

  def test_a_url_that_says_all_stays
    %w[redis://h redis://:p@h:1/2 rediss://me:x@[::1]:7/0].each do |url|
      assert_equal url, Place.plain_url(url)
      assert_nil Place.options(URI(url))
    end
  end

  def test_sentinels
    url = "redis+sentinel://me:p%40@a,[::1]:7,b:26380/main/3?sentinel_password=x%2By+z"
    assert_equal "redis://me:p%40@main/3", Place.plain_url(url)
    assert_equal(
      {
        url: "redis://me:p%40@main/3", role: :master,
        sentinels: [["a", 26_379], ["::1", 7], ["b", 26_380]].map { |host, port| { host: host, port: port, password: "x+y+z" } }
      },
      Place.options(url),
    )
    assert_equal "rediss://main/0", Place.plain_url("REDISS+sentinel://a:1/main/0")
    tls = { ssl: true }
    assert_equal({ url: "rediss://main", role: :master, sentinels: [{ host: "a", port: 1, **tls }], **tls },
                 Place.options("rediss+sentinel://a:1/main"))
  end

  def test_a_unix_socket
    plain = "unix:///run/redis.sock"
    assert_equal({ path: "/run/redis.sock", db: 0 }, Place.options(plain))
    assert_equal plain, Place.plain_url(plain)
    url = "UNIX://me:p%40+/@@/r@/a%20+b?db=3"
    assert_equal({ path: "/a +b", db: 3, username: "me", password: "p@+/@@/r" }, Place.options(url))
    assert_equal({ path: "/@/s", db: 1 }, Place.options("unix:///@/s?db=1"))
    assert_equal({ path: "/s", db: 0, password: "p" }, Place.options("unix://:p@/s?db=0"))
  end

  def test_a_cluster_stays_as_it_is
    url = "redis+cluster://:p%40@a:1,b:2/shop?verify_mode=none"
    assert_equal url, Place.plain_url(url)
    assert_nil Place.options(url)
    installed = 0
    Mawashi::Cluster::SidekiqPools.stub(:install, -> { installed += 1 }) do
      offered(url) do |config|
        assert_equal url, ENV.fetch("REDIS_URL")
        config.redis = { size: 7 }
        assert_equal({ size: 7 }, config.redis_config)
      end
    end
    assert_equal 1, installed
  end

  # As Sidekiq 7 and later: what is set is merged.
  class Config
    def initialize
      @redis_config = {}
    end
    attr_reader :redis_config

    def redis=(options)
      @redis_config = @redis_config.merge(options)
    end
  end

  # Leaves the server's place and the environment as they were.
  def offered(url)
    before = ENV.to_h.slice("REDIS_URL", "REDIS_PROVIDER")
    given = Place.instance_variable_get(:@given)
    Place.give(url)
    Sidekiq.stub(:default_configuration, config = Config.new) { Place.offer }
    yield config
  ensure
    Place.instance_variable_set(:@given, given)
    %w[REDIS_URL REDIS_PROVIDER].each { |name| ENV[name] = before[name] }
  end

  def test_the_apps_own_place_counts_alone
    ["redis+sentinel://a,b/main/3", "rediss://h/0?verify_mode=none", "unix:///s?db=1"].each do |url|
      [{ url: "redis://own:1/2" }, { host: "own", port: 1 }, { path: "/s" }, { url: "redis://x", sentinels: ["c"] },
       { "url" => "redis://own:1/2" }].each do |own|
        offered(url) do |config|
          config.redis = { size: 7 }
          config.redis = own
          assert_equal({ size: 7, **own.transform_keys(&:to_sym) }, config.redis_config.transform_keys(&:to_sym))
        end
      end
    end
  end

  def test_what_names_no_other_place_keeps_the_servers
    offered("redis+sentinel://a,b/main/3") do |config|
      [{ size: 7 }, { url: ENV["REDIS_URL"], size: 7 }, { "url" => ENV["REDIS_URL"].dup }].each { |own| config.redis = own }
      own = config.redis_config.transform_keys(&:to_sym)
      assert_equal({ size: 7, **Place.options("redis+sentinel://a,b/main/3") }, own)
    end
  end

  def test_files_of_tls
    Dir.mktmpdir do |folder|
      key = OpenSSL::PKey::EC.generate("prime256v1")
      File.write("#{folder}/k e.pem", key.private_to_pem)
      url = "rediss://h/0?ca_file=%2Fca.pem&key=#{folder}/k%20e.pem&verify_mode=none"
      options = Place.options(url)
      assert_equal "rediss://h/0", options[:url]
      ssl = options[:ssl_params]
      assert_equal ["/ca.pem", OpenSSL::SSL::VERIFY_NONE], ssl.values_at(:ca_file, :verify_mode)
      assert_equal key.private_to_der, ssl[:key].private_to_der
      refute ssl.key?(:cert)
    end
  end
end
