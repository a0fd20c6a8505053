# frozen_string_literal: true

require "mawashi/cluster/url"

# URLs of a Redis Cluster.
class ClusterUrlTest < Minitest::Test
  def url(text)
    Mawashi::Cluster::Url.new(text)
  end

  def test_all_parts
    found = url("rediss+cluster://me:p%40+/x@a,[::1]:7,b:26380/a%20b".sub("a%20b", "my+shop%21").sub("/x", "%2Fx"))
    assert found.tls?
    assert_equal ["me", "p@+/x", [["a", 6379], ["::1", 7], ["b", 26_380]], "my+shop!"],
                 [found.user, found.password, found.nodes, found.name]
    assert_equal "{my+shop!}:", found.prefix
    assert_equal "rediss+cluster://a:6379,[::1]:7,b:26380/my%2Bshop%21", found.to_s
    assert_equal found.nodes, url(found.to_s).nodes
    assert_equal found.name, url(found.to_s).name
  end

  def test_what_may_be_left_out
    %w[redis+cluster://a REDIS+cluster://a/].each do |text|
      found = url(URI.parse(text))
      assert_equal [nil, nil, [["a", 6379]], "mawashi", false], [found.user, found.password, found.nodes, found.name, found.tls?]
    end
    assert_equal [nil, "p:q@/#r"], url("redis+cluster://:p:q@/#r@a/s").then { |found| [found.user, found.password] }
    assert_equal %w[s s], %w[redis+cluster://a/s/ redis+cluster://a/s#x].map { |text| url(text).name }
  end

  def test_files_of_tls
    text = "rediss+cluster://a/s?ca_file=%2Fc+a.pem&verify_mode=none&other=1"
    assert_equal({ ca_file: "/c+a.pem", verify_mode: "none" }, url(text).files)
    assert_empty url("redis+cluster://a/s").files
  end

  # As CLUSTER KEYSLOT says.
  def test_the_slot
    assert_equal [12_739, 12_182, 3808], %w[123456789 foo shop].map { |name| url("redis+cluster://a/#{name}").slot }
    assert_equal 0x31c3, url("redis+cluster://a/123456789").slot
  end

  def test_two_urls_of_one_place
    one, same, other = %w[a:1,b:2/s b:2,a:1/s a:1,b:2/t].map { |text| url("redis+cluster://#{text}").place }
    assert_equal one, same
    refute_equal one, other
    assert_equal one, url("redis+cluster://:x@a:1,b:2/s").place
  end

  def test_what_is_no_url_of_a_cluster
    assert Mawashi::Cluster::Url.match?(URI.parse("redis+cluster://a"))
    [nil, "", "redis://a", "redis+sentinel://a/b", "unix:///redis+cluster://a"].each do |text|
      refute Mawashi::Cluster::Url.match?(text), text
    end
  end

  def test_bad_urls_are_refused_without_their_password
    {
      "a/x/3" => "has a database", "a/a%20b" => "no tag", "a/#{"x" * 101}" => "no tag", "a/%ff" => "no tag", "" => "without host",
      "a,/s" => "without host", "a:0/s" => "port 0", "a:65536/s" => "port 65536", "a:x/s" => "the node a:x", "a:1:2" => "the node",
      "a?x=1@b" => "a '?' before an '@'", "a\n/s" => "the node"
    }.each do |rest, words|
      error = assert_raises(ArgumentError, rest) { url("redis+cluster://:secret@#{rest}") }
      assert_includes error.message, words
      refute_includes error.message, "secret"
    end
    "{}*?[]\\^:".each_char { |char| assert_raises(ArgumentError) { url("redis+cluster://a/x#{URI.encode_www_form_component(char)}") } }
    assert_equal "x" * 100, url("redis+cluster://a/#{"x" * 100}").name
  end
end
