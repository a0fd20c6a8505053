# frozen_string_literal: true

Gem::Specification.new do |gem|
  gem.name = "tested"
  gem.version = "1.0"
  gem.summary = "An app with a test, and a gem with a program."
  gem.authors = ["Mawashi"]
  gem.files = ["lib/tested.rb", "exe/tested"]
  gem.bindir = "exe"
  gem.executables = ["tested"]
end
