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

  def test_each_thread_goes_round_in_its_row_and_a_job_says_whether_the_one_before_ended_well
    note(Marks.open(@path, 2))

    assert_noted
  end

  def test_the_same_without_io_buffer
    File.open(@path, "w+b") do |file|
      file.write("\0" * (2 * Marks::PLACES * 8))
      file.flush
      note(Marks.new(Marks::Mapping.new(file), 2))
    end

    assert_noted
  end

  def test_a_note_takes_no_memory
    row = Marks.open(@path, 1).row(0)
    noted = ->(id) { row.mark(id) || row.done || row.rest }
    noted.call(2**40)
    before = GC.stat(:total_allocated_objects)
    100.times { noted.call(2**40) }

    assert_operator GC.stat(:total_allocated_objects) - before, :<, 100
  end

  # Memory of a file that was never written is found only when it is first touched, and where there is none left
  # this kills the process.
  def test_there_is_room_for_all_marks_from_the_start
    Marks.open(@path, 2)

    assert_operator 512 * File.stat(@path).blocks, :>=, 8 * 2 * Marks::PLACES
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
    marks.row(1).mark(2**40)
    row = marks.row(0)
    1.upto(Marks::PLACES + 1) do |id|
      row.mark(id)
      row.done unless id == 7
    end
    row.rest
  end

  def assert_noted
    noted = File.binread(@path).unpack("Q>*")
    jobs = noted.first(Marks::PLACES).map { |note| [note & ~Marks::WELL, note >= Marks::WELL] }

    assert_equal [[Marks::PLACES + 1, true], [0, true]], jobs.first(2)
    assert_equal (3..Marks::PLACES).map { |id| [id, id != 8] }, jobs.drop(2)
    assert_equal [2**40, *[0] * (Marks::PLACES - 1)], noted.drop(Marks::PLACES)
  end

  def assert_notes_nothing(reason)
    _, said = capture_io { note(Marks.open(@path, 2)) }

    assert_match reason, said
  end
end
