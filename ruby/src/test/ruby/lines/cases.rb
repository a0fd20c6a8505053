# frozen_string_literal: true

# Random calls of foreach and each_line, and what comes of them. LinesPropertyTest makes them in JRuby and has them
# done in JRuby and, by the last lines of this file, in MRI: `ruby cases.rb CALLS ANSWERS`, both marshalled.
module LineCases
  CONTENTS = 250
  CALLS_OF_EACH = 16
  # Each costs every Ruby some microseconds to be looked at.
  LINES_MAX = 300

  # What a text is put together from; separators are such pieces too.
  PIECES = {
    "newlines" => ["\n", "\n\n", "\r\n", "\r", "a", "bc", "line"],
    "letters" => ["a", "b", "aa", "ab", "\n"],
    "UTF-8" => ["あ", "é", "😀", "x", "\n", "\xE3", "\x81\x82", "\xF0\x9F"],
    "Shift_JIS" => ["\x82\xA0", "\x83\x5C", "\x5C", "a", "\n", "\x82"],
    "EUC-JP" => ["\xA4\xA2", "\xA4", "\xA2", "a", "\n"],
    "GB18030" => ["\x81\x30\x81\x30", "\x30", "0", "\x81", "\n"],
    "bytes" => (0..255).map { |byte| [byte].pack("C") }
  }.freeze

  # How a file is opened, and whether the strings have the file's own bytes then.
  OPENINGS = [
    [{}, true], [{}, true], [{ mode: "r" }, true], [{ mode: "rb" }, true], [{ encoding: "utf-8" }, true],
    [{ external_encoding: "ascii-8bit" }, true], [{ mode: "r:shift_jis" }, true], [{ encoding: "euc-jp" }, true],
    [{ mode: "r:gb18030" }, true], [{ mode: "r:bom|utf-8" }, true], [{ mode: "r:us-ascii" }, true],
    [{ mode: "r:iso-8859-1" }, true], [{ mode: "r:windows-31j" }, true],
    [{ mode: "r:iso-8859-1:utf-8" }, false], [{ mode: "rt" }, false]
  ].freeze

  module_function

  def make(seed, folder)
    random = Random.new(seed)
    Array.new(CONTENTS) { |number| calls_on(random, File.join(folder, "text-#{number}")) }.flatten(1)
  end

  def calls_on(random, path)
    pieces = PIECES.values.sample(random: random).map(&:b)
    size = [0, 1, 3, 10, 40, 200, random.rand(20_000), random.rand(200_000)].sample(random: random)
    text = "".b
    text << pieces.sample(random: random) * [1, 1, 1, 2, random.rand(1..[size / 4, 1].max)].sample(random: random) while text.size < size
    File.binwrite(path, text)
    Array.new(CALLS_OF_EACH) { call(random, path, pieces) }
  end

  def call(random, path, pieces)
    opening, covered = OPENINGS.sample(random: random)
    arguments = arguments(random, pieces)
    options = [{}, {}, { chomp: true }, { chomp: true }, { chomp: false }].sample(random: random)
    { path: path, opening: opening, covered: covered, arguments: arguments, options: options,
      open_first: random.rand(2).zero?, action: %i[none none stop gets seek lineno unget].sample(random: random),
      after: random.rand(1..5) }
  end

  def arguments(random, pieces)
    separator = ["\n", "", nil, "\r\n", "\n\n", Array.new(random.rand(1..3)) { pieces.sample(random: random) }.join,
                 Array.new(random.rand(1..3)) { pieces.sample(random: random) }.join].sample(random: random)
    separator = separator.dup.force_encoding(%w[utf-8 ascii-8bit shift_jis euc-jp gb18030].sample(random: random)) if separator
    limit = [1, 2, 3, 5, random.rand(1..50), 8192, random.rand(1..100_000), -1, nil, 1 << 40].sample(random: random)
    [[], [], [separator], [separator], [separator], [limit], [separator, limit], [separator, limit]].sample(random: random)
  end

  # @param by [#foreach] IO or Mawashi::Lines
  # @return [Array] what of each line can be seen, and how the call ended
  def answer(call, by)
    seen = []
    $. = 0
    ended = call[:open_first] ? each_line(call, by, seen) : foreach(call, by, seen)
    [seen, ended]
  rescue SystemCallError, IOError, ArgumentError, TypeError, EncodingError => e
    [seen, [e.class.name, e.message]]
  end

  def foreach(call, by, seen)
    by.foreach(call[:path], *call[:arguments], **call[:opening], **call[:options]) do |line|
      seen << [trait(line), $.]
      break :stopped if seen.size == (call[:action] == :stop ? call[:after] : LINES_MAX)
    end
  end

  def each_line(call, by, seen)
    File.open(call[:path], **{ mode: "r" }.merge(call[:opening])) do |io|
      ended = lines_of(io, call, by) do |line|
        seen << [trait(line), $., io.lineno, io.pos]
        break :stopped if seen.size == (call[:action] == :stop ? call[:after] : LINES_MAX)

        act(io, call[:action]) if seen.size == call[:after]
      end
      [ended.equal?(io) ? :io : ended, io.closed?, io.lineno, io.pos]
    end
  end

  def lines_of(io, call, by, &block)
    return io.each_line(*call[:arguments], **call[:options], &block) if by == IO

    by.each_line(io, *call[:arguments], **call[:options], &block)
  end

  def act(io, action)
    case action
    when :gets then io.gets
    when :seek then io.seek(io.pos / 2 + 1)
    when :lineno then io.lineno = 100
    when :unget then io.ungetbyte(10)
    end
  end

  def trait(line)
    [line.b, line.encoding.name, line.ascii_only?, line.valid_encoding?, line.frozen?]
  end
end

# How the answers of Mawashi::Lines differ from MRI's, or from JRuby's where the call is left to it.
module LineDifferences
  module_function

  # @param answers [Hash{Symbol=>Array}] of :ours, :jruby and :mri
  # @return [Array<String>] at most three, told
  def of(calls, answers)
    different = calls.each_index.reject do |index|
      ours, jruby, mri = %i[ours jruby mri].map { |who| answers[who][index] }
      call = calls[index]
      call[:covered] ? ours == mri || (by_version?(call) && ours == jruby) : ours == jruby
    end
    different.first(3).map { |index| "call #{index} of #{different.size} that differ: #{told(calls[index], answers, index)}" }
  end

  # Ruby before 3.2 chomps the text that is read without a separator.
  def by_version?(call)
    call[:options][:chomp] && call[:arguments].include?(nil)
  end

  def told(call, answers, index)
    "#{call}\n" + answers.map { |who, all| "  #{who}: #{all[index].inspect[0, 600]}" }.join("\n")
  end
end

if $PROGRAM_NAME == __FILE__
  calls = Marshal.load(File.binread(ARGV[0]))
  File.binwrite(ARGV[1], Marshal.dump(calls.map { |call| LineCases.answer(call, IO) }))
end
