# frozen_string_literal: true

require "mawashi/arguments"

# Blocks and handlers get as many arguments as they take, as apps wrote them for any version of Sidekiq.
class ArgumentsTest < Minitest::Test
  class OneTaker
    def call(one) = [one]
  end

  class RestTaker
    def call(*all) = all
  end

  TAKERS = {
    ->(one) { [one] } => [1],
    ->(one, two) { [one, two] } => [1, 2],
    ->(one, two, three) { [one, two, three] } => [1, 2, 3],
    ->(one, two = :default) { [one, two] } => [1, 2],
    ->(one, two, three = :default) { [one, two, three] } => [1, 2, 3],
    ->(*all) { all } => [1, 2, 3],
    ->(one, *others) { [one, others] } => [1, [2, 3]],
    -> { [] } => [],
    proc { |one| [one] } => [1],
    proc { |one, two, three, four| [one, two, three, four] } => [1, 2, 3, nil],
    OneTaker.new => [1],
    RestTaker.new => [1, 2, 3],
    OneTaker.new.method(:call) => [1]
  }.freeze

  def test_each_taker_gets_what_it_takes
    TAKERS.each do |taker, taken|
      assert_equal taken, Mawashi::Arguments.call(taker, 1, 2, 3), taker.inspect
    end
  end
end
