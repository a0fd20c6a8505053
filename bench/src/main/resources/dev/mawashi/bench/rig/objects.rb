# frozen_string_literal: true

# The memory benchmark's addition to a Rails app: a job that makes objects and forgets them, so that
# the collector writes to the pages that children share, as it does in every app.
require "json"
require_relative "noop"

class ObjectsJob
  include Job
  ROWS = 300

  def perform(number)
    rows = Array.new(ROWS) { |n| { "id" => number + n, "name" => "row #{n}", "tags" => [n.to_s, "x"] } }
    raise "JSON differs" unless JSON.parse(JSON.generate(rows)) == rows

    Tally.add
  end
end
