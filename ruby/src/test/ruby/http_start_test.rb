# frozen_string_literal: true

require "mawashi/http_start"
require "net/http"
require "socket"

class HttpStartTest < Minitest::Test
  ORIGINAL = Net::HTTP.method(:start).unbind
  QUICKENED = Mawashi::HttpStart.quicken

  OPTIONS = [
    {},
    { use_ssl: false },
    { open_timeout: 3, read_timeout: 4, write_timeout: 5, keep_alive_timeout: 6, max_retries: 0 },
    { "read_timeout" => 1, unknown: 1, "odd name": 1, read_timeout: nil, 7 => 8 },
    { ipaddr: "127.0.0.1", close_on_empty_response: true },
    { initialize: 1, send: 2, "": 3, "read_timeout=": 4 }
  ].freeze

  # A connection that does not connect, and keeps what it was asked for.
  class Unconnected < Net::HTTP
    attr_reader :began

    def start
      @began = true
      self
    end
  end

  # One whose methods nobody may list.
  class Unlisted < Unconnected
    def methods(*)
      raise "all methods were listed"
    end
  end

  def test_the_code_of_this_ruby_is_known
    assert QUICKENED
    refute_equal ORIGINAL, Net::HTTP.method(:start).unbind
    assert_raises(RuntimeError) { ORIGINAL.bind(Unlisted).call("host", 80, use_ssl: false) }
    assert Unlisted.start("host", 80, use_ssl: false).began
  end

  def test_options_count_as_they_did
    OPTIONS.each do |options|
      ours = Unconnected.start("127.0.0.1", 80, options)
      theirs = ORIGINAL.bind(Unconnected).call("127.0.0.1", 80, options)

      assert_equal state(theirs), state(ours), options.inspect
    end
  end

  def test_a_value_that_is_refused_is_refused_in_the_same_words
    ours = assert_raises(ArgumentError) { Unconnected.start("host", 80, max_retries: -1) }
    theirs = assert_raises(ArgumentError) { ORIGINAL.bind(Unconnected).call("host", 80, max_retries: -1) }

    assert_equal theirs.message, ours.message
  end

  def test_a_setter_of_a_subclass_counts_and_a_private_one_does_not
    type = Class.new(Unconnected) do
      attr_accessor :tenant
      attr_reader :hidden

      private

      attr_writer :hidden
    end
    http = type.start("host", 80, tenant: "a", hidden: 1)

    assert_equal ["a", nil], [http.tenant, http.hidden]
  end

  def test_lines_of_the_code_stay_in_backtraces
    error = assert_raises(ArgumentError) { Unconnected.start("host", 80, max_retries: -1) }
    line = error.backtrace.find { |place| place.match?(/in ['`](Net::HTTP\.)?start'/) }
    _, first = ORIGINAL.source_location

    assert_includes first..(first + 25), line[/:(\d+):/, 1].to_i
    assert_equal ORIGINAL.source_location.first, line[/\A(.*):\d+:/, 1]
  end

  def test_a_request_is_answered
    server = TCPServer.new("127.0.0.1", 0)
    peer = Thread.new do
      connection = server.accept
      connection.gets("\r\n\r\n")
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
      connection.close
    end

    assert_equal "hello", Net::HTTP.get(URI("http://127.0.0.1:#{server.addr[1]}/"))
  ensure
    peer&.join
    server&.close
  end

  def test_what_somebody_else_has_put_there_stays
    theirs = replace_start(->(*) { "http.methods.grep" })

    refute Mawashi::HttpStart.quicken
    assert_equal "http.methods.grep", Net::HTTP.start("host")
  ensure
    replace_start(theirs)
  end

  private

  # @return [UnboundMethod] what was there
  def replace_start(other)
    type = Net::HTTP.singleton_class
    type.instance_method(:start).tap do
      type.send(:remove_method, :start)
      type.send(:define_method, :start, other)
    end
  end

  def state(http)
    http.instance_variables.sort.to_h { |name| [name, http.instance_variable_get(name).inspect] }
  end
end
