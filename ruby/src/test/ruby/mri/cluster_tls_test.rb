# frozen_string_literal: true

require "erb"
require "mawashi/redis_driver"
require "openssl"
require_relative "../cluster_nodes"

# A Cluster whose node speaks TLS, and goes by the name that is in its certificate.
class ClusterTlsTest < Minitest::Test
  def setup
    @folder = Dir.mktmpdir("cluster-tls")
    certify("right")
    certify("wrong")
    @node = ClusterNodes::Node.new(@folder, [], "--tls-cluster", "yes", "--tls-auth-clients", "no",
                                   "--tls-cert-file", path("right.crt"), "--tls-key-file", path("right.key"),
                                   "--tls-ca-cert-file", path("right.crt"),
                                   "--cluster-announce-ip", "127.0.0.1", "--cluster-announce-hostname", "localhost")
    await { @node.ready? }
    @node.call("CLUSTER", "ADDSLOTSRANGE", 0, 16_383)
    await { @node.call("CLUSTER", "INFO").include?("cluster_state:ok") }
  end

  def teardown
    @node&.kill
    FileUtils.rm_rf(@folder)
  end

  def path(name)
    File.join(@folder, name)
  end

  def await
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + ClusterNodes::LIMIT_S
    until yield
      flunk "the node does not get ready" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
      sleep 0.02
    end
  end

  # Makes a key, and a certificate of `localhost` that it has signed itself.
  def certify(name)
    key = OpenSSL::PKey::RSA.new(2048)
    made = OpenSSL::X509::Certificate.new
    made.version = 2
    made.serial = 1
    made.subject = made.issuer = OpenSSL::X509::Name.parse("/CN=#{name}")
    made.public_key = key.public_key
    made.not_before = Time.now - 3600
    made.not_after = Time.now + 3600
    extensions = OpenSSL::X509::ExtensionFactory.new(made, made)
    made.add_extension(extensions.create_extension("basicConstraints", "CA:TRUE", true))
    made.add_extension(extensions.create_extension("subjectAltName", "DNS:localhost"))
    made.sign(key, OpenSSL::Digest.new("SHA256"))
    File.write(path("#{name}.key"), key.to_pem)
    File.write(path("#{name}.crt"), made.to_pem)
  end

  def open(certificate)
    file = ERB::Util.url_encode(path("#{certificate}.crt"))
    Mawashi::RedisDriver.open(url: "rediss+cluster://localhost:#{@node.tls_port}/shop?ca_file=#{file}", timeout: 5)
  end

  def test_keys_are_in_their_slot
    redis = open("right")
    assert_equal "OK", redis.call("SET", "a", "1")
    assert_equal "1", redis.call("GET", "a")
    assert_equal "1", @node.call("GET", "{shop}:a")
  end

  def test_a_certificate_that_nobody_trusts_is_refused
    redis = open("wrong")
    refused = defined?(RedisClient) ? RedisClient::CannotConnectError : Redis::CannotConnectError
    error = assert_raises(refused) { redis.call("GET", "a") }
    assert_match(/certificate verify failed/, error.message)
  end
end
