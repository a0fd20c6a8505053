# frozen_string_literal: true

require "mawashi/cluster/prefix"
require "mawashi/redis_driver"

# The places of keys, beside what the server says of each command that it knows.
class ClusterKeysTest < Minitest::Test
  # Of commands whose keys the server finds in their words.
  SAMPLES = [
    %w[BLMPOP 1 2 a b LEFT], %w[BZMPOP 1 2 a b MIN COUNT 1], %w[EVAL s 2 a b c], %w[EVALSHA s 1 a c], %w[EVAL_RO s 0 c],
    %w[EVALSHA_RO s 2 a b], %w[FCALL f 2 a b c], %w[FCALL_RO f 1 a c], %w[GEORADIUS a 1 2 3 m COUNT 1 STORE b],
    %w[GEORADIUS a 1 2 3 m STOREDIST b], %w[GEORADIUS a 1 2 3 m], %w[GEORADIUSBYMEMBER a m 3 m storedist b],
    %w[GEORADIUSBYMEMBER a STORE 3 m], %w[LMPOP 2 a b LEFT], %w[SINTERCARD 2 a b LIMIT 1], %w[SORT a BY nosort GET # STORE b],
    %w[SORT a LIMIT 0 STORE DESC], %w[SORT BY], %w[SORT a GET STORE STORE b], %w[SORT_RO a BY nosort],
    %w[XREAD COUNT 1 BLOCK 2 STREAMS a b 1 2],
    %w[XREAD STREAMS STREAMS 0], %w[XREADGROUP GROUP STREAMS c NOACK STREAMS a b 1 2], %w[ZDIFF 2 a b WITHSCORES],
    %w[ZDIFFSTORE d 2 a b], %w[ZINTER 2 a b WEIGHTS 1 2], %w[ZINTERCARD 2 a b LIMIT 1], %w[ZINTERSTORE d 2 a b WEIGHTS 1 2],
    %w[ZMPOP 2 a b MIN], %w[ZUNION 2 a b], %w[ZUNIONSTORE d 2 a b AGGREGATE MAX], %w[MSET a 1 b 2], %w[BITOP AND d a b],
    %w[MEMORY USAGE a], %w[OBJECT ENCODING a], %w[BLPOP a b 1], %w[COPY a b DB 0], %w[LCS a b LEN],
    %w[MSETEX 2 a 1 b 2 EX 9]
  ].freeze
  MOVABLE = "movablekeys"

  def self.redis
    @redis ||= Mawashi::RedisDriver.open({})
  end

  # @return [Array<Array>] name, arity, flags, first place, last place, step; of subcommands instead of their container
  def self.commands(list = redis.call("COMMAND"))
    list.flat_map { |words| words[9].to_a.empty? ? [words] : commands(words[9]) }
  end

  def redis
    self.class.redis
  end

  def refused?(words)
    Mawashi::Cluster::Prefix.refusal(words.first, words)
  end

  def found(words)
    Mawashi::Cluster::Keys.of(words.first, words).to_a
  end

  def expected(size, first, last, step)
    return [] if first.zero?

    last += size if last.negative?
    (first..last).step(step).to_a & (0...size).to_a
  end

  def test_keys_at_places_that_the_server_names
    checked = self.class.commands.count do |name, arity, flags, *places|
      next if flags.to_a.any? { |flag| flag.to_s == MOVABLE }

      verb = name.upcase.split("|")
      [arity.abs, (arity.abs + 4 if arity.negative?)].compact.each do |size|
        words = verb + (verb.size...size).map { |index| "w#{index}" }
        assert_equal expected(words.size, *places.first(3)), found(words), words.join(" ") unless refused?(words)
      end
    end
    assert_operator checked, :>, 200
  end

  def test_keys_that_the_server_finds
    SAMPLES.each do |words|
      next if redis.call("COMMAND", "INFO", words.first).first.nil?

      assert_equal keys(words), found(words).map { |index| words[index] }, words.join(" ")
    end
  end

  def test_each_command_whose_keys_move_has_a_sample
    movable = self.class.commands.filter_map do |name, _, flags|
      name.upcase if flags.to_a.any? { |flag| flag.to_s == MOVABLE } && !refused?([name.upcase])
    end
    assert_empty movable - SAMPLES.map(&:first)
  end

  # @return [Array<String>] none where it says that there are none
  def keys(words)
    redis.call("COMMAND", "GETKEYS", *words)
  rescue StandardError => e
    raise unless e.message.include?("no key arguments")

    []
  end
end
