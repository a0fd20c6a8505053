# frozen_string_literal: true

require "mawashi/redis_driver"
require "tmpdir"

# The file of a secret that an app without a sidekiq gem takes its Redis from.
class RedisFileTest < Minitest::Test
  NAMES = %w[REDIS_URL REDIS_URL_FILE REDIS_PROVIDER CLOUD_URL CLOUD_URL_FILE].freeze

  def setup
    @before = NAMES.to_h { |name| [name, ENV.delete(name)] }
    @folder = Dir.mktmpdir
    File.write(@file = "#{@folder}/url", " redis://:p@c\n")
  end

  def teardown
    ENV.update(@before)
    FileUtils.remove_entry(@folder)
  end

  def test_a_variable_names_the_file
    ENV["REDIS_URL_FILE"] = @file
    assert_equal "redis://:p@c", Mawashi::RedisDriver.url
    ENV["REDIS_URL"] = "redis://a"
    assert_equal "redis://a", Mawashi::RedisDriver.url
    ENV.update("REDIS_PROVIDER" => "CLOUD_URL", "CLOUD_URL_FILE" => @file)
    assert_equal "redis://:p@c", Mawashi::RedisDriver.url
  end

  def test_a_file_that_cannot_be_read_is_no_other_redis
    ["#{@folder}/none", @folder].each do |file|
      ENV["REDIS_URL_FILE"] = file
      error = assert_raises(Mawashi::Error) { Mawashi::RedisDriver.url }
      assert_equal "REDIS_URL_FILE names #{file}, which cannot be read", error.message[/\A[^:]*/]
    end
    ENV["REDIS_URL_FILE"] = ""
    assert_equal "redis://localhost:6379/0", Mawashi::RedisDriver.url
  end
end
