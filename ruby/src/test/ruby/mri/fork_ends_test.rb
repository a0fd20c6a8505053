# frozen_string_literal: true

require "mawashi/children/fork_ends"
require "mawashi/children/running_marks"

# When the server is told what came of forks.
class ForkEndsTest < Minitest::Test
  Slot = Struct.new(:id, :well, :last_word, :nanos) do
    def number
      0
    end
  end

  def setup
    @frames = []
    frames = @frames
    link = Object.new
    link.define_singleton_method(:write) { |kind, body| frames << [kind, body] }
    marks = Mawashi::Children::RunningMarks.new(Mawashi::Children::RunningMarks::Nothing.new, 1)
    @ends = Mawashi::Children::ForkEnds.new(link, marks)
  end

  def end_well(id)
    @ends.job(Slot.new(id, true, nil, 5), nil)
  end

  def test_jobs_that_are_done_gather_and_are_told_in_one_frame
    end_well(7)
    end_well(8)
    assert @ends.untold?
    @ends.report(60)
    assert_empty @frames

    @ends.report(0)
    assert_equal [["E", [7, 5, 8, 5].pack("Q>*")]], @frames
    refute @ends.untold?
    @ends.report(0)
    assert_equal 1, @frames.size
  end

  def test_one_that_failed_is_told_at_once_after_those_before_it
    end_well(7)
    problem = fail_by(8, ArgumentError.new("größer"))

    assert_equal [["E", [7, 5].pack("Q>*")], ["P", problem]], @frames
    refute @ends.untold?
  end

  def test_what_a_job_failed_by_is_told_once
    fail_by(8, ArgumentError.new("größer"))
    fail_by(9, IOError.new(""))

    assert_equal({"error_class" => "ArgumentError", "error_message" => "größer"}, @ends.failure(8))
    assert_equal({"error_class" => "IOError", "error_message" => ""}, @ends.failure(9))
    assert_nil @ends.failure(8)
  end

  def test_a_job_may_say_what_is_no_failure
    @ends.job(Slot.new(7, true, %w[P problem], 5), nil)
    @ends.job(Slot.new(8, true, ["P", "\xFF" * 60], 5), nil)

    assert_nil @ends.failure(7)
    assert_nil @ends.failure(8)
  end

  def test_only_the_last_failures_are_kept
    101.times { |id| fail_by(id, IOError.new(id.to_s)) }

    assert_nil @ends.failure(0)
    assert_equal "1", @ends.failure(1)["error_message"]
  end

  # What a fork says of it.
  def fail_by(id, error)
    said = nil
    link = Object.new
    link.define_singleton_method(:write) { |_, body| said = body }
    Mawashi::Children::Outcomes.new(link).problem(id, 5, Mawashi::Problem.of(error, nil, true, nil))
    @ends.job(Slot.new(id, true, ["P", said], 5), nil)
    said
  end
end
