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
    @ends.tell(60)
    assert_empty @frames

    @ends.tell(0)
    assert_equal [["E", [7, 5, 8, 5].pack("Q>*")]], @frames
    refute @ends.untold?
    @ends.tell(0)
    assert_equal 1, @frames.size
  end

  def test_one_that_failed_is_told_at_once_after_those_before_it
    end_well(7)
    @ends.job(Slot.new(8, true, %w[P problem], 5), nil)

    assert_equal [["E", [7, 5].pack("Q>*")], %w[P problem]], @frames
    refute @ends.untold?
  end
end
