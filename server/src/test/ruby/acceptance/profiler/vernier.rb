# frozen_string_literal: true

# Stands in for the gem vernier at the one method that Sidekiq's profiler calls. It writes what it was asked.
module Vernier
  def self.profile(out:, **options)
    result = yield
    File.write(out, options.to_s)
    result
  end
end
