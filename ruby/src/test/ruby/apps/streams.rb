# frozen_string_literal: true

require_relative "children"
require "stringio"

# All that Ruby and its Logger ask of what is put in the place of `$stdout`.
class Tee
  def write(*words)
    STDOUT.write(*words)
  end

  def close; end
end

class FlushingTee < Tee
  def flush
    STDOUT.flush
  end
end

# The app of ChildStreamsIT: what it does to its standard output while it is loaded, or as a child starts.
Told.add("words", ARGV.inspect)
case File.read(File.join(Told::FOLDER, "how"))
when "closes it" then $stdout.close
when "closes the errors" then $stderr.close
when "replaces it" then $stdout = StringIO.new
when "replaces and closes it" then ($stdout = File.open(File::NULL, "w")).close
when "has objects of its own" then $stdout = $stderr = Tee.new
when "has objects of its own that flush" then $stdout = $stderr = FlushingTee.new
when "has objects of its own at the start"
  Sidekiq.configure_server { |config| config.on(:startup) { $stdout = $stderr = Tee.new } }
when "prints at the start"
  Sidekiq.configure_server { |config| config.on(:startup) { warn "starting up" } }
when "reopens it" then $stdout.reopen(File::NULL)
end
