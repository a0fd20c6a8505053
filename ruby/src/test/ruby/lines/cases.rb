# frozen_string_literal: true

# Random calls of foreach, readlines, each_line and gets, and what comes of them. LinesPropertyTest makes them in JRuby and has them
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
    # JRuby's own methods take the lower 32 bits, and some never end then.
    arguments.delete(1 << 40) if !covered || arguments.include?(nil)
    options = [{}, {}, { chomp: true }, { chomp: true }, { chomp: false }].sample(random: random)
    { path: path, opening: opening, covered: covered, arguments: arguments, options: options,
      by: %i[foreach foreach each_line each_line readlines_of readlines gets].sample(random: random), action: %i[none none stop gets seek lineno unget].sample(random: random),
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
    case call[:by]
    when :foreach then [seen, foreach(call, by, seen)]
    when :readlines_of then all(by.readlines(call[:path], *call[:arguments], **call[:opening], **call[:options]))
    else [seen, on_file(call, by, seen)]
    end
  rescue SystemCallError, IOError, ArgumentError, TypeError, EncodingError => e
    [seen, [e.class.name, e.message]]
  end

  def foreach(call, by, seen)
    by.foreach(call[:path], *call[:arguments], **call[:opening], **call[:options]) do |line|
      seen << [trait(line), $.]
      break :stopped if seen.size == (call[:action] == :stop ? call[:after] : LINES_MAX)
    end
  end

  def on_file(call, by, seen)
    File.open(call[:path], **{ mode: "r" }.merge(call[:opening])) do |io|
      io.gets if call[:action] == :gets
      ended = call[:by] == :readlines ? all(ours(by, io, :readlines, call)) : lines_of(io, call, by, seen)
      [ended.equal?(io) ? :io : ended, io.closed?, io.lineno, io.pos]
    end
  end

  def lines_of(io, call, by, seen)
    each = call[:by] == :gets ? method(:each_got) : method(:each_line)
    each.call(io, call, by) do |line|
      seen << [trait(line), $., io.lineno, io.pos]
      break :stopped if seen.size == (call[:action] == :stop ? call[:after] : LINES_MAX)

      act(io, call[:action]) if seen.size == call[:after]
    end
  end

  def each_line(io, call, by, &block)
    return io.each_line(*call[:arguments], **call[:options], &block) if by == IO

    by.each_line(io, *call[:arguments], **call[:options], &block)
  end

  def each_got(io, call, by)
    while (line = ours(by, io, :gets, call))
      yield line
    end
  end

  # What `require "mawashi/fast_io"` has IO's objects do.
  def ours(by, io, name, call)
    method = by == IO ? io.method(name) : by::InstanceMethods.instance_method(name).bind(io)
    method.call(*call[:arguments], **call[:options])
  end

  # Of many lines the last ones too, and how many there are.
  def all(lines)
    [lines.first(LINES_MAX).map { |line| trait(line) }, lines.last(5).map { |line| trait(line) }, lines.size]
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

# How the answers of Mawashi::Lines differ from MRI's, or from JRuby's where those count.
module LineDifferences
  module_function

  # @param answers [Hash{Symbol=>Array}] of :ours, :jruby and :mri
  # @return [Array<String>] at most three, told
  def of(calls, answers)
    different = calls.each_index.reject do |index|
      ours, jruby, mri = %i[ours jruby mri].map { |who| answers[who][index] }
      call = calls[index]
      call[:covered] && ours == mri || as_jruby?(call) && ours == jruby
    end
    different.first(3).map { |index| "call #{index} of #{different.size} that differ: #{told(calls[index], answers, index)}" }
  end

  # Without a separator Ruby before 3.2 chomps all the same, and every Ruby takes the byte 0xFF for one up to a limit.
  def as_jruby?(call)
    arguments = call[:arguments]
    !call[:covered] || (arguments.include?(nil) && (call[:options][:chomp] || arguments.size == 2))
  end

  def told(call, answers, index)
    "#{call}\n" + answers.map { |who, all| "  #{who}: #{all[index].inspect[0, 600]}" }.join("\n")
  end
end

if $PROGRAM_NAME == __FILE__
  calls = Marshal.load(File.binread(ARGV[0]))
  File.binwrite(ARGV[1], Marshal.dump(calls.map { |call| LineCases.answer(call, IO) }))
end
