# frozen_string_literal: true

require "erb"
require "mawashi/app_place"
require "mawashi/redis_driver"
require "openssl"
require "tmpdir"

# What the app's own connections say of their place, with the Redis library at hand. Nothing connects.
class AppPlaceTest < Minitest::Test
  FILE = __FILE__
  IN_URL = ERB::Util.url_encode(FILE)

  # @param options [Hash] of `config.redis=`
  # @return [Mawashi::AppPlace]
  def place(**options)
    Mawashi::AppPlace.new(Mawashi::RedisDriver.open(options))
  end

  def assert_url(url, **options)
    found = place(**options)
    assert_equal "", found.obstacle
    assert_equal url, found.url
  end

  # @param words [String] in the obstacle
  def assert_obstacle(words, **options)
    assert_includes place(**options).obstacle, words
  end

  def test_a_url
    assert_url "redis://h:6379/0", url: "redis://h"
    assert_url "redis://me:p%40@h:1/2", url: "redis://me:p%40@h:1/2"
    assert_url "redis://:x%20%2B@[::1]:7/3", url: "redis://[::1]:7", password: "x +", db: 3
    assert_url "redis://h:6379/0", url: "redis://h", username: "me"
  end

  def test_single_settings
    assert_url "redis://h:1/2", host: "h", port: 1, db: "2"
    assert_url "unix:///run/a%20b?db=1", path: "/run/a b", db: 1
    assert_url "unix://me:p@/s?db=0", path: "/s", username: "me", password: "p"
  end

  def test_a_password_that_the_app_is_asked_for
    assert_url "redis://:of-default@h:6379/0", url: "redis://h", password: ->(user) { "of-#{user}" }
    assert_url "redis://me:of-me@h:6379/0", url: "redis://h", username: "me", password: ->(user) { "of-#{user}" }
  end

  def test_files_of_tls
    assert_url "rediss://h:6379/0", url: "rediss://h"
    assert_url "rediss://h:1/0?verify_mode=none", host: "h", port: 1, ssl: true, ssl_params: { verify_mode: 0 }
    assert_url "rediss://h:6379/0?ca_file=#{IN_URL}", url: "rediss://h", ssl_params: { ca_file: FILE }
    assert_url "redis://h:6379/0", url: "redis://h", ssl_params: { ca_path: "/" }
    both = { cert: FILE, key: FILE }
    assert_url "rediss://h:6379/0?cert=#{IN_URL}&key=#{IN_URL}", url: "rediss://h", ssl_params: both
  end

  def test_sentinels
    sentinels = [{ host: "a", port: 1 }, { host: "::1", port: 7 }]
    assert_url "redis+sentinel://a:1,[::1]:7/main/3", url: "redis://main/3", sentinels: sentinels
    logins = sentinels.map { |one| one.merge(password: "s") }
    assert_url "redis+sentinel://:p@a:1,[::1]:7/main/0?sentinel_password=s",
               url: "redis://main/0", password: "p", role: :master, sentinels: logins
    assert_obstacle "replica", url: "redis://main", sentinels: sentinels, role: :slave
    assert_obstacle "several logins", url: "redis://main", sentinels: [logins.first, sentinels.last]
  end

  def test_a_cluster
    assert_url "redis+cluster://a:6379,[::1]:7/mawashi", url: "redis+cluster://a,[::1]:7"
    assert_url "redis+cluster://me:p%40@a:1/my%2Bshop", url: "redis+cluster://:x@a:1/my+shop", username: "me", password: "p@"
    assert_obstacle "ca_path", url: "rediss+cluster://a", ssl_params: { ca_path: "/" }
  end

  # They are read for the library, and the server wants their names.
  def test_files_of_a_cluster
    Dir.mktmpdir do |folder|
      File.write(key = "#{folder}/key.pem", (pair = OpenSSL::PKey::EC.generate("prime256v1")).to_pem)
      own = OpenSSL::X509::Certificate.new
      own.subject = own.issuer = OpenSSL::X509::Name.parse("/CN=a")
      own.serial = 1
      own.not_before = own.not_after = Time.now
      own.public_key = pair
      File.write(cert = "#{folder}/cert.pem", own.sign(pair, "SHA256").to_pem)
      names = { ca_file: FILE, cert: cert, key: key }.map { |name, file| "#{name}=#{ERB::Util.url_encode(file)}" }
      url = "rediss+cluster://a:1/s?#{names.join("&")}"
      assert_url url, url: url
    end
  end

  def test_what_the_server_cannot_take
    assert_obstacle "ca_path", url: "rediss://h", ssl_params: { ca_path: "/" }
    assert_obstacle "cert of ssl_params is no file's name", url: "rediss://h", ssl_params: { cert: OpenSSL::X509::Certificate.new }
    found = Mawashi::AppPlace.new(Object.new)
    assert_equal ["", "its connections are of Object"], [found.url, found.obstacle]
  end
end
