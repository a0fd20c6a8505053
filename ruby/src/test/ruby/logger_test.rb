# frozen_string_literal: true

require "json"
require "stringio"

# The shipped logger's forms.
class LoggerTest < Minitest::Test
  FORMS = Sidekiq::Logger::Formatters
  HEAD = "pid=#{Process.pid} tid=\\w+"
  TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"

  def setup
    @device = StringIO.new
    @logger = Sidekiq::Logger.new(@device)
  end

  def teardown
    Thread.current[:sidekiq_context] = nil
  end

  def line(form, severity = :info)
    @logger.formatter = form.new
    Sidekiq::Context.with(jid: "j1", tags: %w[a b]) { @logger.public_send(severity, "hello") }
    @device.string
  end

  def test_plain_is_the_form_where_there_is_no_terminal
    Sidekiq::Context.with(jid: "j1") { @logger.warn("hello") }
    assert_match(/\AWARN #{TIME} #{HEAD} jid=j1: hello\n\z/, @device.string)
  end

  def test_pretty_has_the_severity_in_a_coloured_column
    assert_match(/\A\e\[1;34mINFO \e\[0m #{TIME} #{HEAD} jid=j1 tags=a,b: hello\n\z/, line(FORMS::Pretty))
  end

  def test_without_timestamp
    assert_match(/\AINFO #{HEAD} jid=j1 tags=a,b: hello\n\z/, line(FORMS::WithoutTimestamp))
  end

  def test_json_is_one_object_a_line
    object = JSON.parse(line(FORMS::JSON, :error))
    assert_equal %w[ts pid tid lvl msg ctx], object.keys
    assert_equal({ "jid" => "j1", "tags" => %w[a b] }, object["ctx"])
    assert_equal %w[ERROR hello], object.values_at("lvl", "msg")
  end

  def test_json_leaves_out_what_is_not_known
    @logger.formatter = FORMS::JSON.new
    @logger.info("hello")
    refute_includes JSON.parse(@device.string), "ctx"
  end

  def test_a_context_ends_with_its_block
    Sidekiq::Context.add(:shop, 1)
    assert_equal({ shop: 1, jid: 2 }, Sidekiq::Context.with(jid: 2) { Sidekiq::Context.current.dup })
    assert_equal({ shop: 1 }, Sidekiq::Context.current)
  end
end
