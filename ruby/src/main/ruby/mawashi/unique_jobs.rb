# frozen_string_literal: true

require "mawashi/in_hand"
require "mawashi/own_log"

module Mawashi
  # Keeps the reaper of the gem sidekiq-unique-jobs from the locks of jobs that servers have in hand. It frees each lock
  # whose job it does not find, and looks in queues, in `schedule`, in `retry` and among the jobs that ran at the last beat.
  # One reaper runs in a whole fleet, so a Sidekiq beside wants this too.
  #
  # @example in an initializer
  #   require "mawashi/unique_jobs"
  module UniqueJobs
    RUN = ":RUN"
    # Between two looks a job can have moved from where was not looked yet to where was looked before.
    LOOKS = 2
    private_constant :RUN, :LOOKS

    # Goes before the reaper's own methods.
    module Orphans
      def orphans
        UniqueJobs.without_job(super) { |digest| belongs_to_job?(digest) }
      end
    end

    # Goes before those of the reaper in Lua, whose script cannot be changed.
    module InRuby
      def call
        ::SidekiqUniqueJobs::Orphans::RubyReaper.new(conn).call
      end
    end

    class << self
      # Does nothing in an app without the gem.
      def guard
        return unless defined?(::SidekiqUniqueJobs::Orphans::Reaper)
        return warn_of_unknown unless known?

        ::SidekiqUniqueJobs::Orphans::RubyReaper.prepend(Orphans)
        ::SidekiqUniqueJobs::Orphans::LuaReaper.prepend(InRuby)
      end

      # @param digests [Array<String>] of locks whose jobs the reaper did not find
      # @yieldparam digest [String]
      # @yieldreturn [Boolean] whether the reaper finds its job now
      # @return [Array<String>] those whose jobs are not in hand either
      def without_job(digests, &found)
        LOOKS.times do
          return digests if digests.empty?

          in_hand = InHand.digests.map { |digest| digest.delete_suffix(RUN) }
          digests = digests.reject { |digest| in_hand.include?(digest.delete_suffix(RUN)) || found.call(digest) }
        end
        digests
      end

      private

      def known?
        defined?(::SidekiqUniqueJobs::Orphans::RubyReaper) && defined?(::SidekiqUniqueJobs::Orphans::LuaReaper) &&
          %i[orphans belongs_to_job?].all? { |name| ::SidekiqUniqueJobs::Orphans::RubyReaper.method_defined?(name) }
      end

      def warn_of_unknown
        OwnLog.say(:warn, "sidekiq-unique-jobs: its reaper is not of a known form and may free locks of jobs in hand " \
                          "(set `config.reaper = :none`)")
      end
    end
  end
end

Mawashi::UniqueJobs.guard
