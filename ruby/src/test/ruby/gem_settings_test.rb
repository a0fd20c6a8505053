# frozen_string_literal: true

require "mawashi/command_settings"
require "mawashi/gem_settings"
require "stringio"

# What the server reads out of the app's Sidekiq.
class GemSettingsTest < Minitest::Test
  def setup
    @config = Sidekiq.default_configuration
    @logger = @config.logger
    @log = StringIO.new
    @config.logger = Logger.new(@log)
  end

  def teardown
    @config[:fetch_class] = nil
    @config.logger = @logger
  end

  def test_apps_read_what_the_command_line_says
    capsule = @config.default_capsule
    before = capsule.concurrency
    Mawashi::CommandSettings.new("").before_app({ concurrency: 3 }, "test")
    assert_equal [3, 3], [@config[:concurrency], capsule.concurrency]
    assert_equal [["default"], "test"], [@config[:queues], @config[:environment]]
  ensure
    capsule.concurrency = before
    %i[concurrency queues environment].each { |key| @config[key] = nil }
  end

  def test_labels_may_be_one_text
    @config[:labels] = "reliable"
    assert_equal ["reliable"], Mawashi::GemSettings.new("").server_settings[2]
  ensure
    @config[:labels] = []
  end

  def test_a_fetcher_of_the_apps_own_is_told_to_be_without_effect
    settings = Mawashi::GemSettings.new("")
    settings.check
    assert_empty @log.string

    @config[:fetch_class] = Object
    settings.check
    assert_match(/config\[:fetch_class\] has no effect here/, @log.string)
  end
end
