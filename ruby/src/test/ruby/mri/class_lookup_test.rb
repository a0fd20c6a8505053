# frozen_string_literal: true

require "mawashi/class_lookup"

# What is said of a class that is not there, as Ruby itself says it, without a line of our source.
class ClassLookupTest < Minitest::Test
  def test_the_first_name_that_is_missing_is_named
    { "NoSuchJob" => "NoSuchJob", "No::Such::Job" => "No", "::Mawashi::No::Job" => "Mawashi::No" }.each do |name, missing|
      error = assert_raises(NameError) { Mawashi::ClassLookup.job_class(name) }
      assert_equal "uninitialized constant #{missing}", error.message
    end
  end

  def test_what_is_no_job_class_is_said_in_one_line
    ["Kernel", "a b"].each do |name|
      error = assert_raises(NameError) { Mawashi::ClassLookup.job_class(name) }
      assert_equal 1, error.message.lines.size, error.message
    end
  end
end
