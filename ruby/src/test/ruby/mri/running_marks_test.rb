# frozen_string_literal: true

require "mawashi/children/running_marks"
require "fileutils"
require "tmpdir"

# What a child notes of its jobs, for the server to read when it has died.
class RunningMarksTest < Minitest::Test
  Marks = Mawashi::Children::RunningMarks

  def setup
    @folder = Dir.mktmpdir
    @path = File.join(@folder, "marks")
  end

  def teardown
    FileUtils.rm_rf(@folder)
  end

  def test_those_that_ended_come_first_then_what_each_thread_began
    note(Marks.open(@path, 2))

    assert_noted
  end

  def test_the_same_without_io_buffer
    File.open(@path, "w+b") do |file|
      file.write("\0" * (Marks::DONE_MAX + 2) * 8)
      file.flush
      note(Marks::Mapping.new(file))
    end

    assert_noted
  end

  # Memory of a file that was never written is found only when it is first touched, and where there is none left
  # this kills the process.
  def test_there_is_room_for_all_marks_from_the_start
    Marks.open(@path, 2)

    assert_operator 512 * File.stat(@path).blocks, :>=, 8 * (Marks::DONE_MAX + 2)
  end

  def test_where_there_is_no_room_nothing_is_noted
    skip "no /dev/full" unless File.exist?("/dev/full")
    File.symlink("/dev/full", @path)

    assert_notes_nothing(/No space left/)
    refute File.symlink?(@path)
  end

  def test_where_there_can_be_no_file_nothing_is_noted
    @path = File.join(@folder, "none", "marks")

    assert_notes_nothing(/No such file/)
  end

  private

  def note(marks)
    marks.mark(1, 2**40)
    1.upto(Marks::DONE_MAX + 1) { |id| marks.done(id) }
    marks.mark(0, 7)
  end

  def assert_noted
    noted = File.binread(@path).unpack("Q>*")

    assert_equal [Marks::DONE_MAX + 1, *2..Marks::DONE_MAX], noted.first(Marks::DONE_MAX)
    assert_equal [7, 2**40], noted.drop(Marks::DONE_MAX)
  end

  def assert_notes_nothing(reason)
    _, said = capture_io { note(Marks.open(@path, 2)) }

    assert_match reason, said
  end
end
