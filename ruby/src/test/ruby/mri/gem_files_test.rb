# frozen_string_literal: true

require "rubygems"

# What the gems mawashi and mawashi-sidekiq bring: all that their files require.
class GemFilesTest < Minitest::Test
  HOME = File.expand_path("../../../../..", __dir__)
  OWN = "ruby/src/main/ruby/"
  REQUIRE = %r{(?:require|autoload :\w+,) "(mawashi/[\w/-]+)"}.freeze

  # @return [Array<String>] files
  def files(gem)
    Gem::Specification.load("#{HOME}/#{gem}.gemspec").files.select { |file| file.end_with?(".rb") }
  end

  def assert_complete(files, brought)
    missing = files.flat_map { |file| File.read("#{HOME}/#{file}").scan(REQUIRE).flatten }.uniq
                   .map { |feature| "#{OWN}#{feature}.rb" } - brought
    assert_empty missing
  end

  def test_each_brings_what_its_files_require
    mawashi = files("mawashi")
    assert_complete(mawashi, mawashi)
    shipped = files("mawashi-sidekiq")
    assert_complete(shipped, shipped + mawashi)
  end
end
