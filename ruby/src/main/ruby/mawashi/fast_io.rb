# frozen_string_literal: true

require "mawashi/lines"

# Makes `IO.foreach`, `File.foreach` and `IO#each_line` read as {Mawashi::Lines} does, on JRuby inside a Mawashi
# server; elsewhere it does nothing. An app asks for it with `require "mawashi/fast_io"`. A method that
# somebody else has replaced by then stays theirs.
if Mawashi::Lines.fast?
  if IO.method(:foreach).source_location.nil?
    IO.singleton_class.prepend(Mawashi::Lines::Foreach)
  end
  if IO.instance_method(:each_line).source_location.nil?
    IO.prepend(Mawashi::Lines::EachLine)
  end
end
