# frozen_string_literal: true

# The app of the sha benchmark: the job that Sidekiq and Resque, threads, processes and forks were
# compared with in 2012, word by word.
require "digest"
require_relative "noop"

class ShaJob
  include Job

  def perform(numbers)
    numbers.each do |number|
      Digest::SHA2.new << number.to_s
    end
    Tally.add
  end
end
