# frozen_string_literal: true

# Required by Bundler, by the gem's name.
require "sidekiq"
