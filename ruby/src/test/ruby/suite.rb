# frozen_string_literal: true

# Runs test files on an MRI of the machine, against the shipped API or, with SIDEKIQ=gem, against the
# sidekiq gem that is installed:
#   ruby ruby/src/test/ruby/suite.rb ruby/src/test/ruby/contract/*_test.rb

main = File.expand_path("../../main/ruby", __dir__)
$LOAD_PATH.unshift(main)
$LOAD_PATH.unshift(File.join(main, "mawashi/shim")) unless ENV["SIDEKIQ"] == "gem"
require "sidekiq"
require "minitest/autorun"
ARGV.delete_if { |word| word.end_with?(".rb") && load(File.expand_path(word)) }
