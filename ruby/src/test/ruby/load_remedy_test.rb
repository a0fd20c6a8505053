# frozen_string_literal: true

require "fileutils"
require "minitest/autorun"
require "tmpdir"
require "mawashi/load_remedy"

# What is said where JRuby does not find what Debian has.
class LoadRemedyTest < Minitest::Test
  def test_the_folder_of_a_gem_of_debians_is_named
    Dir.mktmpdir do |debian|
      lib = File.join(debian, "all", "gems", "redis-4.8.0", "lib", "redis")
      FileUtils.mkdir_p(lib)
      FileUtils.touch([File.join(File.dirname(lib), "redis.rb"), File.join(lib, "client.rb")])
      %w[redis redis/client redis.rb].each do |feature|
        assert_includes Mawashi::LoadRemedy.of(feature, debian), "#{debian}/all, or"
      end
      assert_nil Mawashi::LoadRemedy.of("resque", debian)
      assert_nil Mawashi::LoadRemedy.of(nil, debian)
    end
  end

  def test_what_debian_has_not_is_told_as_it_is
    error = assert_raises(LoadError) { Mawashi::LoadRemedy.named { require "no/such/file" } }
    assert_equal "no/such/file", error.path
  end
end
