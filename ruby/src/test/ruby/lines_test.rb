# frozen_string_literal: true

require "fileutils"
require "mawashi/lines"
require "stringio"
require "tmpdir"

# Mawashi::Lines does on JRuby what it does on MRI, where it is IO's own.
class LinesTest < Minitest::Test
  Lines = Mawashi::Lines

  def setup
    @folder = Dir.mktmpdir
    @path = File.join(@folder, "text")
  end

  def teardown
    FileUtils.remove_entry(@folder)
  end

  def write(text)
    File.binwrite(@path, text)
  end

  def lines(*args, **options)
    [].tap { |all| Lines.foreach(@path, *args, **options) { |line| all << line } }
  end

  def test_it_is_fast_on_jruby_in_a_server
    assert_equal RUBY_ENGINE == "jruby", Lines.fast?
  end

  def test_lines_with_their_ends
    write("a\nb\r\n\nc")
    assert_equal ["a\n", "b\r\n", "\n", "c"], lines
    assert_equal ["a", "b", "", "c"], lines(chomp: true)
    assert_equal ["a\nb\r", "\n\nc"], lines("\r")
  end

  def test_paragraphs_swallow_newlines
    write("\n\na\nb\n\n\n\nc\n\nd\n")
    assert_equal ["a\nb\n\n", "c\n\n", "d\n"], lines("")
  end

  def test_the_whole_text
    write("a\nb\n")
    assert_equal ["a\nb\n"], lines(nil)
    write("")
    assert_empty lines(nil)
  end

  def test_a_limit_completes_a_character
    write("ああ\nい")
    assert_equal ["ああ", "\n", "い"], lines(4, encoding: "utf-8")
  end

  def test_a_separator_across_the_buffer
    [8_190, 8_191, 8_192, 65_534, 65_535, 65_536].each do |size|
      write("#{"x" * size}<->y<->")
      assert_equal [size, 1], lines("<->", chomp: true).map(&:size)
      write("#{"x" * size}\r\ny\r\n")
      assert_equal [size + 2, 3], lines.map(&:size)
    end
  end

  def test_lines_longer_than_the_buffer
    sizes = [1, 70_000, 65_535, 3_000_000, 10, 200_000, 65_536]
    write(sizes.map { |size| "#{"y" * size}\n" }.join)
    assert_equal sizes, lines(chomp: true).map(&:size)
    assert_equal sizes.sum + sizes.size, lines(nil).first.size
  end

  def test_strings_are_independent
    write("one\ntwo\nthree\n#{"4" * 100_000}\n#{"5" * 100_000}\n")
    all = lines
    copies = all.map(&:dup)
    all.each_with_index do |line, index|
      line.setbyte(0, 88)
      line << "more"
      all.each_with_index { |other, at| assert_equal copies[at], other if at > index }
    end
    refute all.any?(&:frozen?)
  end

  def test_numbers_of_lines
    write("a\nb\n")
    seen = []
    Lines.foreach(@path) { seen << $. }
    assert_equal [1, 2], seen
    File.open(@path) do |file|
      file.lineno = 7
      Lines.each_line(file) { seen << [$., file.lineno] }
    end
    assert_equal [[8, 8], [9, 9]], seen.last(2)
  end

  def test_the_last_line_variable
    write("a\nb\n")
    seen = []
    Lines.foreach(@path) { seen << $_ } if RUBY_ENGINE == "jruby"
    IO.foreach(@path) { seen << $_ } if RUBY_ENGINE == "ruby"
    assert_equal ["a\n", "b\n"], seen
    assert_nil $_
  end

  def test_the_block_may_read_and_seek
    write("a\nb\nc\nd\n")
    File.open(@path) do |file|
      seen = []
      Lines.each_line(file) { |line| seen << [line, file.gets, file.pos] }
      assert_equal [["a\n", "b\n", 4], ["c\n", "d\n", 8]], seen
      file.rewind
      seen = []
      Lines.each_line(file) { |line| seen << line && seen.size == 1 && file.seek(6) }
      assert_equal %W[a\n d\n], seen
    end
  end

  def test_the_block_may_ask_for_another_encoding
    write("a\n\xE9\n\xE9\n")
    File.open(@path, "rb") do |file|
      seen = []
      Lines.each_line(file, chomp: true) { |line| seen << line && file.set_encoding("iso-8859-1:utf-8") }
      assert_equal %w[a é é], seen
    end
  end

  def test_a_transcoded_file
    write("\xE9\n")
    assert_equal ["é\n"], lines(mode: "r:iso-8859-1:utf-8")
    write("a\n".encode("utf-16le"))
    assert_equal ["a\n".encode("utf-16le")], lines(mode: "rb:utf-16le")
    write("a\r\nb\r\n")
    assert_equal %W[a\n b\n], lines(mode: "rt")
    assert_equal %w[a b], lines(mode: "rt", chomp: true)
    assert_equal ["a\r\n", "b\r\n"], lines(open_args: ["rb"])
  end

  def test_the_block_may_close
    write("a\nb\n")
    file = File.open(@path)
    assert_raises(IOError) { Lines.each_line(file) { file.close } }
    assert_raises(IOError) { Lines.each_line(file) { flunk } }
    File.open(@path, "w") { |open| assert_raises(IOError) { Lines.each_line(open) { flunk } } }
  end

  def test_without_a_block_it_is_an_enumerator
    write("a\nb\n")
    assert_equal %w[a b], Lines.foreach(@path, chomp: true).to_a
    lines = Lines.foreach(@path)
    assert_equal %W[a\n b\n], [lines.next, lines.next]
    assert_raises(StopIteration) { lines.next }
    File.open(@path) { |file| assert_equal %w[a b], Lines.each_line(file, chomp: true).to_a }
  end

  def test_what_it_returns
    write("a\n")
    assert_nil(Lines.foreach(@path) {})
    assert_equal(:stopped, Lines.foreach(@path) { break :stopped })
    File.open(@path) { |file| assert_same file, Lines.each_line(file) {} }
  end

  def test_all_lines_at_once
    write("a\nb\r\n\nc")
    assert_equal ["a", "b", "", "c"], Lines.readlines(@path, chomp: true)
    assert_equal ["a\nb\r\n\n", "c"], Lines.readlines(@path, "")
    assert_equal ["a\n", "b\r", "\n", "\n", "c"], Lines.readlines(@path, 2)
    assert_equal ["a\nb\r\n\nc"], Lines.readlines(@path, nil)
    write("\xE9\n")
    assert_equal ["é\n"], Lines.readlines(@path, mode: "r:iso-8859-1:utf-8")
    assert_raises(Errno::ENOENT) { Lines.readlines("#{@path}.none") }
    assert_equal "invalid limit: 0 for readlines", assert_raises(ArgumentError) { Lines.readlines(@path, 0) }.message
  end

  def test_any_object_with_lines
    assert_equal %w[a b], Lines.each_line(StringIO.new("a\nb\n"), chomp: true).to_a
    reader, writer = IO.pipe
    writer << "a\nb\n"
    writer.close
    assert_equal %w[a b], Lines.each_line(reader, chomp: true).to_a
  end

  def test_wrong_calls
    write("a\n")
    # MRI before 3.2 forgets to look at the limit of foreach, and never ends; JRuby at that of what is no file.
    assert_equal "invalid limit: 0 for foreach", assert_raises(ArgumentError) { lines(0) }.message
    assert_raises(ArgumentError) { lines("\n", 0) }
    [StringIO.new("a"), IO.pipe.first].each { |io| assert_raises(ArgumentError) { Lines.each_line(io, 0) {} } }
    message = assert_raises(ArgumentError) { File.open(@path) { |file| Lines.each_line(file, 0) {} } }.message
    assert_equal "invalid limit: 0 for each_line", message
    assert_raises(ArgumentError) { lines("a", 1, 2, 3) }
    assert_raises(ArgumentError) { File.open(@path) { |file| Lines.each_line(file, "a", 1, 2) {} } }
    assert_raises(TypeError) { lines(:a) }
    assert_raises(TypeError) { lines({ chomp: true }) }
    assert_raises(TypeError) { Lines.foreach(1) {} }
    assert_raises(ArgumentError) { lines("あ", encoding: "shift_jis") }
  end

  def test_what_cannot_be_read
    assert_raises(Errno::ENOENT) { lines }
    assert_raises(Errno::EISDIR) { Lines.foreach(@folder) {} }
    write("a\n")
    File.chmod(0, @path)
    # Root reads everything.
    assert_raises(Errno::EACCES) { lines } unless Process.uid.zero?
  end

  def test_a_fifo
    File.mkfifo(@path)
    writer = Thread.new { File.write(@path, "a\nb\n\nc") }
    assert_equal %w[a b] + ["", "c"], lines(chomp: true)
    writer.join
  end

  def test_a_break_closes_the_file
    File.mkfifo(@path)
    broken = Thread.new do
      File.open(@path, "w") do |file|
        file.sync = true
        loop { file.write("a\n") }
      end
    rescue Errno::EPIPE
      :nobody_reads
    end
    Lines.foreach(@path) { break }
    assert_equal :nobody_reads, broken.value
  end

  def test_an_error_closes_the_file
    write("a\n")
    error = assert_raises(RuntimeError) { Lines.foreach(@path) { raise "mine" } }
    assert_equal "mine", error.message
  end

  def test_a_file_that_grows
    write("1\n")
    seen = []
    Lines.foreach(@path, chomp: true) do |line|
      seen << line
      File.write(@path, "#{seen.size + 1}\n", mode: "a") if seen.size < 5
    end
    assert_equal %w[1 2 3 4 5], seen
  end

  def test_a_file_that_is_truncated
    text = Array.new(40_000) { |number| "line #{number}\n" }
    write(text.join)
    seen = []
    Lines.foreach(@path) { |line| seen << line && File.truncate(@path, 0) }
    assert_operator seen.size, :<, text.size
    assert_equal text.first(seen.size - 1), seen[0...-1]
    assert text[seen.size - 1].start_with?(seen.last)
  end
end
