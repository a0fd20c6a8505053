# frozen_string_literal: true

require "mawashi/children/child"
require "mawashi/children/running_marks"

# When an MRI child tells what came of its jobs.
class OutcomesTest < Minitest::Test
  # Keeps the frames that are written, and how long it is waited for others; there are none.
  class LastLink
    attr_reader :frames, :waits

    def initialize
      @frames = []
      @waits = []
    end

    def write(kind, body)
      @frames << [kind, body]
    end

    def wait(seconds)
      @waits << seconds
      true
    end

    def read; end
  end

  def setup
    @link = LastLink.new
    @row = Mawashi::Children::RunningMarks.new(Mawashi::Children::RunningMarks::Nothing.new, 1).row(0)
    @outcomes = Mawashi::Children::Outcomes.new(@link)
  end

  def test_a_job_is_told_at_once_with_those_before_it_unless_others_wait
    @outcomes.done(@row, 1, 10, 0) { true }
    assert_empty @link.frames
    assert_predicate @outcomes, :untold?

    @outcomes.done(@row, 2, 20, 1) { false }
    assert_equal [["E", [1, 10, 2, 20].pack("Q>*")]], @link.frames
    refute_predicate @outcomes, :untold?
  end

  def test_the_servers_letters_for_what_a_class_wants
    { discard: 1, kill: 2, hold: 3, nil => 0 }.each do |wish, number|
      @outcomes.problem(7, 1, Mawashi::Problem.new(:failed, "E", "m", [], true, wish))
      assert_equal number, @link.frames.last.last.bytes.last, wish
    end
  end

  def test_the_servers_letters_for_how_far_a_run_came
    { failed: "F", unfound: "N", malformed: "M", interrupted: "I" }.each do |kind, letter|
      @outcomes.problem(7, 1, Mawashi::Problem.new(kind, "E", "m", [], true, nil))
      assert_equal letter, @link.frames.last.last[16]
    end
  end

  # Another thread may take the last job that waits, or give it back, right after that was asked.
  def test_whether_others_wait_is_asked_when_the_job_is_there_to_be_told
    @outcomes.done(@row, 1, 10, 0) { @outcomes.flush || true }

    assert_equal [["E", [1, 10].pack("Q>*")]], @link.frames
  end

  def test_a_child_waits_for_ever_only_while_nothing_is_untold
    child = Mawashi::Children::Child.new(link: @link, sidekiq: nil, marks: nil, lanes: [])
    child.serve
    child.instance_variable_get(:@outcomes).done(@row, 1, 10, 0) { true }
    child.serve

    assert_equal [nil, Mawashi::Children::Child::FLUSH_SECONDS], @link.waits
  end
end
