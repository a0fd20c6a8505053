# frozen_string_literal: true

# Sidekiq's API for apps without the sidekiq gem; docs/guide/without-the-gem.md says how. It brings no Redis library,
# so that the app can keep the one it has.
Gem::Specification.new do |spec|
  ruby = %w[ruby ruby/src/main/ruby].find { |folder| File.file?(File.join(__dir__, folder, "mawashi.rb")) }
  spec.name = "mawashi-sidekiq"
  spec.version = File.read(File.join(__dir__, ruby, "mawashi/version.rb"))[/VERSION = "(.+)"/, 1]
  spec.summary = "Sidekiq's API for apps whose jobs Mawashi runs, in place of the sidekiq gem"
  spec.authors = ["The Mawashi authors"]
  spec.license = "Apache-2.0"
  spec.required_ruby_version = ">= 2.7"
  own = %w[iteration_state redis_push].map { |name| "#{ruby}/mawashi/#{name}.rb" }
  spec.files = own + Dir.chdir(__dir__) { Dir["#{ruby}/mawashi/shim/**/*.rb", "LICENSE"] }
  spec.require_paths = ["#{ruby}/mawashi/shim", ruby]
  spec.add_dependency "mawashi", spec.version
  # No default gem any more from Ruby 4.0 on.
  spec.add_dependency "logger"
end
