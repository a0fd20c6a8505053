# frozen_string_literal: true

require "minitest/autorun"
require "tested"

class TestedTest < Minitest::Test
  def test_its_name
    puts "on #{RUBY_ENGINE}"
    assert_equal ENV.fetch("FAIL", "tested"), Tested::NAME
  end
end
