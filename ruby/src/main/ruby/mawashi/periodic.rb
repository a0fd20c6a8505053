# frozen_string_literal: true

require "json"
require "mawashi/periodic/declaring"
require "mawashi/periodic/entry"
require "mawashi/periodic/loop_set"
require "mawashi/periodic/registry"

module Mawashi
  # The jobs of `config.periodic`, as apps of Sidekiq Enterprise have it, for apps whose bundle lacks that gem. The
  # server enqueues them as those of `cron` in config/mawashi.yml.
  # Facts: https://github.com/sidekiq/sidekiq/wiki/Ent-Periodic-Jobs; zones: issues 4749 and 4833 there; no job for what
  # was missed: 4893.
  module Periodic
    class << self
      # @return [Registry] of this process's app
      def registry
        @registry ||= Registry.new
      end

      # Lets the app declare them. Enterprise's own method, where it is loaded, goes before.
      def allow
        return Sidekiq.extend(Declaring) unless Sidekiq.respond_to?(:default_configuration)

        Sidekiq::Config.include(Declaring)
      end

      # Lets jobs list what was declared, now that the app is loaded.
      def join(_sidekiq)
        return if Sidekiq.const_defined?(:Periodic, false) || registry.entries.empty?

        Sidekiq.const_set(:Periodic, Module.new).const_set(:LoopSet, LoopSet)
        Sidekiq::Periodic.const_set(:Loop, Entry)
      end

      # @return [String] a JSON array of schedules, for the server
      def json
        JSON.generate(registry.entries.map(&:fields))
      end
    end
  end
end
