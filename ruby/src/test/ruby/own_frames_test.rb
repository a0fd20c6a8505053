# frozen_string_literal: true

require "mawashi/own_frames"
require "mawashi/problem"
require "mawashi/resque/hooks"

# An app may lie in a folder of our name, and its files may be called as ours are.
class OwnFramesTest < Minitest::Test
  APP = "/srv/mawashi/resque/hooks.rb"

  module AppJob; end

  AppJob.module_eval <<~RUBY, APP, 1
    def self.perform(*)
      deeper
    end

    def self.deeper
      raise IOError, "no disk"
    end
  RUBY

  def test_an_app_in_a_folder_of_our_name_keeps_its_lines
    folder = Mawashi::OwnFrames::FOLDER
    app = [APP, "#{folder.chomp("/")}-app/job.rb", "/opt#{folder}app.rb"].map { |file| "#{file}:1:in `perform'" }

    assert_equal app, Mawashi::OwnFrames.without(app + ["#{folder}resque/hooks.rb:1:in `perform'"])
  end

  def test_a_resque_job_that_raises_keeps_its_own_lines_alone
    error = assert_raises(IOError) { Mawashi::Resque::Hooks.new(AppJob).perform }

    assert_equal [[APP, "6"], [APP, "2"]], places(error.backtrace)
  end

  def test_a_problem_tells_the_lines_of_the_app
    error = assert_raises(IOError) { AppJob.perform }
    lines = Mawashi::Problem.of(error, AppJob, nil, nil).backtrace

    assert_equal [[APP, "6"], [APP, "2"]], places(lines.first(2))
  end

  private

  def places(lines)
    lines.grep_v(/org\/jruby/).map { |line| line.split(":").first(2) }
  end
end
