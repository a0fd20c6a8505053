# frozen_string_literal: true

module Mawashi
  # Ruby loads `Digest::SHA256` and its like when they are first named. Of threads that name one at once, one may find
  # a class that is not whole: on JRuby https://github.com/jruby/jruby/issues/1279, on MRI
  # https://github.com/aws/aws-sdk-ruby/issues/525.
  module Digests
    # Loads them, if the app has loaded what they belong to. No job may run yet.
    def self.load
      %w[md5 sha1 sha2].each { |name| require "digest/#{name}" } if defined?(::Digest)
    end
  end
end
