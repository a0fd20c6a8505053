# frozen_string_literal: true

require "mawashi/file_settings"
require "tmpdir"

# What flags and files say by now, beside an app that runs.
class FileSettingsTest < Minitest::Test
  def setup
    @before = %w[APP_ENV RAILS_ENV RACK_ENV].to_h { |name| [name, ENV.fetch(name, nil)] }
    @config = Sidekiq.default_configuration
    @own = Mawashi::GemSettings.new("").server_settings
  end

  # It may be the app's own: nothing of it changes.
  def teardown
    assert_equal @own, Mawashi::GemSettings.new("").server_settings
    @before.each { |name, value| ENV[name] = value }
  end

  def read(text, flags = {})
    Dir.mktmpdir do |folder|
      file = File.join(folder, "sidekiq.yml")
      File.write(file, text)
      Mawashi::FileSettings.read("", { config_file: file, identity: "web:1", accept: [] }.merge(flags))
    end
  end

  def test_the_file_is_read_as_at_a_start
    text = "timeout: 7\nqueues: [[high, <%= 1 + 2 %>], low]\ncapsules:\n  one: { concurrency: 1, queues: [a, b] }\n" \
           "staging: { max_retries: 3 }\n"
    settings = read(text, environment: "staging", concurrency: 4)
    assert_equal [7, 3], settings.values_at(0, 3)
    assert_equal [["default", 4, [["high", 3], ["low", 0]]], ["one", 1, [["a", 0], ["b", 0]]]], settings[6]
    places = settings[7].to_h { |key, _, place| [key, place.split("/").last] }
    assert_equal ["sidekiq.yml", "-c", "sidekiq.yml, section staging", "default"],
                 places.values_at("timeout", "capsules.default.concurrency", "max_retries", "tag")
  end

  def test_flags_win_over_it
    assert_equal [["only", 2]], read("queues: [a, b]\n", queues: { "only" => 2 })[6].first.last
  end

  def test_without_a_file_all_is_as_by_default
    settings = Mawashi::FileSettings.read("", config_file: "")
    assert_equal [["default", 10, [["default", 0]]]], settings[6]
  end

  def test_what_cannot_be_followed_is_named
    error = assert_raises(Mawashi::Error) { read("queues: [[high, many]]\nconcurrency: 0\n") }
    assert_match(/concurrency in .* is 0, must be.*; weight of queue high in .* is "many"/, error.message)
    assert_match(/its ERB raised NameError/, assert_raises(Mawashi::Error) { read("a: <%= none %>\n") }.message)
  end
end
