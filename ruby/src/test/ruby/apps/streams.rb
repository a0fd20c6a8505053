# frozen_string_literal: true

require_relative "children"
require "stringio"

# The app of ChildStreamsIT: what it does to its standard output while it is loaded.
Told.add("words", ARGV.inspect)
case File.read(File.join(Told::FOLDER, "how"))
when "closes it" then $stdout.close
when "closes the errors" then $stderr.close
when "replaces it" then $stdout = StringIO.new
when "replaces and closes it" then ($stdout = File.open(File::NULL, "w")).close
when "reopens it" then $stdout.reopen(File::NULL)
end
