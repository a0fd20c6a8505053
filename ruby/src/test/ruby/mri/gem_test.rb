# frozen_string_literal: true

require "fileutils"
require "open3"
require "tmpdir"

# The two gems of the project, as an app names them in its Gemfile.
class GemTest < Minitest::Test
  HOME = File.expand_path("../../../../..", __dir__)

  def setup
    @folder = Dir.mktmpdir("the app")
  end

  def teardown
    FileUtils.rm_rf(@folder)
  end

  def test_the_gem_lies_beside_sidekiqs_and_does_not_shadow_it
    lines = with_bundle(%w[sidekiq mawashi], 'p Sidekiq.server?, Mawashi::Lines.fast?, $".grep(/sidekiq.rb$/)')

    assert_equal %w[nil false], lines.take(2)
    refute_match(/mawashi/, lines.last)
    specs = %w[mawashi mawashi-sidekiq].map { |name| Gem::Specification.load("#{HOME}/#{name}.gemspec") }
    shadows = specs.map { |spec| spec.require_paths.any? { |path| File.exist?("#{HOME}/#{path}/sidekiq.rb") } }
    assert_equal [false, true], shadows
    assert_empty specs.flat_map(&:files).reject { |file| File.file?("#{HOME}/#{file}") }
  end

  # What a packaged gem lacks is loaded in vain.
  def test_each_gem_holds_what_its_files_require
    %w[mawashi mawashi-sidekiq].each do |name|
      Gem::Specification.load("#{HOME}/#{name}.gemspec").files.each do |file|
        FileUtils.mkdir_p(File.dirname(File.join(@folder, file)))
        FileUtils.cp(File.join(HOME, file), File.join(@folder, file))
      end
    end
    own = "#{@folder}/ruby/src/main/ruby"
    script = 'require "sidekiq"; require "mawashi/fast_io"; require "sidekiq/testing"; Sidekiq::IterableJob; p Mawashi::Lines'
    out, status = Open3.capture2e({ "RUBYOPT" => nil, "RUBYLIB" => nil }, RbConfig.ruby, "-I#{own}",
                                  "-I#{own}/mawashi/shim", "-e", script)

    assert_predicate status, :success?, out
    assert_equal "Mawashi::Lines\n", out
  end

  def test_its_command_hands_over_to_the_one_that_is_installed
    release = release_at("one place")
    environment = { "MAWASHI_HOME" => release, "RUBYOPT" => nil }
    out, status = Open3.capture2e(environment, RbConfig.ruby, "#{HOME}/exe/mawashi", "run", "-r", "a b")

    assert_equal "#{release}/mawashi run -r a b\n", out
    assert_equal 7, status.exitstatus
  end

  # Those are the binstubs of the gem and of the app.
  def test_its_command_passes_over_others_of_its_name
    FileUtils.cp_r("#{HOME}/exe", "#{@folder}/gem-bin")
    release = release_at("on-path")
    FileUtils.mkdir("#{@folder}/links")
    FileUtils.ln_s("#{release}/mawashi", "#{@folder}/links/mawashi")
    path = ["#{@folder}/gem-bin", "#{@folder}/links", ENV.fetch("PATH")].join(":")
    out, = Open3.capture2e({ "PATH" => path, "RUBYOPT" => nil }, RbConfig.ruby, "#{@folder}/gem-bin/mawashi", "stats")

    assert_equal "#{release}/mawashi stats\n", out
  end

  def test_where_none_is_installed_one_line_says_how
    FileUtils.cp_r("#{HOME}/exe", "#{@folder}/exe")
    out, error, status = Open3.capture3({ "PATH" => "/nowhere", "RUBYOPT" => nil }, RbConfig.ruby,
                                        "#{@folder}/exe/mawashi", "run")

    assert_equal 1, status.exitstatus
    assert_empty out
    assert_match(/\Amawashi: it is not installed .*apt install.*\n\z/, error)
  end

  private

  # @return [Array<String>] what a program prints in an app with these gems
  def with_bundle(gems, script)
    named = gems.map { |name| name.start_with?("mawashi") ? "gem #{name.inspect}, path: #{HOME.inspect}" : "gem #{name.inspect}" }
    File.write("#{@folder}/Gemfile", "#{named.join("\n")}\n")
    environment = { "BUNDLE_GEMFILE" => "#{@folder}/Gemfile", "RUBYOPT" => nil, "RUBYLIB" => nil }
    out, error, status = Open3.capture3(environment, RbConfig.ruby, "-e",
                                        "require 'bundler/setup'; Bundler.require; #{script}")

    assert_predicate status, :success?, error
    out.lines(chomp: true)
  end

  # A folder that is laid out as a release is; what lies there says how it was called.
  def release_at(name)
    release = File.realpath(@folder) + "/#{name}"
    FileUtils.mkdir_p("#{release}/bin")
    FileUtils.touch("#{release}/bin/find-jdk.sh")
    File.write("#{release}/mawashi", "#!/bin/sh\necho \"$0 $*\"\nexit 7\n")
    File.chmod(0o755, "#{release}/mawashi")
    release
  end
end
