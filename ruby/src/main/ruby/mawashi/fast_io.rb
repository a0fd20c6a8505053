# frozen_string_literal: true

require "mawashi/lines"

# Makes `foreach` and `readlines` of `IO` and `File`, and `each_line`, `readlines` and `gets` of their objects, read as
# {Mawashi::Lines} does, on JRuby inside a Mawashi server; elsewhere it does nothing. An app asks for it with
# `require "mawashi/fast_io"`. A method that somebody else has replaced by then stays theirs.
if Mawashi::Lines.fast?
  { IO.singleton_class => Mawashi::Lines::ClassMethods, IO => Mawashi::Lines::InstanceMethods }.each do |type, ours|
    ours.instance_methods(false).each do |name|
      ours.remove_method(name) if type.instance_method(name).source_location
    end
    type.prepend(ours)
  end
end
