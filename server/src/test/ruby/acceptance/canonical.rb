# frozen_string_literal: true

require "digest"

# A digest of a JSON value that differs when anything does: a number's class or bits, a string's
# bytes or encoding, the order of keys.
module Canonical
  # @example
  #   Canonical.digest([1, 1.0, "x"])
  def self.digest(value)
    Digest::SHA256.hexdigest(text(value))
  end

  def self.text(value)
    case value
    when Float then "f#{[value].pack('G').unpack1('H*')}"
    when String then "s#{value.encoding}:#{value.unpack1('H*')}"
    when Array then "[#{value.map { |item| text(item) }.join(',')}]"
    when Hash then "{#{value.map { |key, item| "#{text(key)}>#{text(item)}" }.join(',')}}"
    else "#{value.class}#{value.inspect}"
    end
  end
end
