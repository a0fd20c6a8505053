# frozen_string_literal: true

# What an app without the sidekiq gem names in its Gemfile; docs/guide/without-the-gem.md says how. It
# brings no Redis library, so that the app can keep the one it has.
Gem::Specification.new do |spec|
  spec.name = "mawashi"
  # Read and not loaded: inside the server the constant is there already.
  spec.version = File.read(File.join(__dir__, "ruby/src/main/ruby/mawashi/version.rb"))[/VERSION = "(.+)"/, 1]
  spec.summary = "Sidekiq's API for apps whose jobs Mawashi runs"
  spec.authors = ["The Mawashi authors"]
  spec.license = "Apache-2.0"
  spec.required_ruby_version = ">= 2.7"
  spec.files = Dir.chdir(__dir__) { Dir["ruby/src/main/ruby/**/*.rb"] }
  spec.require_paths = %w[ruby/src/main/ruby ruby/src/main/ruby/mawashi/shim]
  # No default gem any more from Ruby 4.0 on.
  spec.add_dependency "logger"
end
