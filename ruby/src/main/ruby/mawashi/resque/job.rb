# frozen_string_literal: true

require "mawashi/resque/hooks"

module Mawashi
  module Resque
    # A Resque job class as a job class of Sidekiq's looks: for each there is a subclass of this one, whose
    # instances perform what the class method does.
    class Job
      class << self
        # @param type [Module] that responds to `perform`
        # @return [Class]
        # @example
        #   Mawashi::Resque::Job.of(ArchiveJob).new.perform(35, "tar")
        def of(type)
          Class.new(self) { @type = type; @hooks = Hooks.new(type) }
        end

        # The hooks of the class.
        attr_reader :hooks

        # What the server asks job classes for; Resque tries nothing again.
        def get_sidekiq_options
          { "retry" => false }
        end

        def to_s
          @type.to_s
        end
      end

      # Resque's jobs have no id.
      attr_writer :jid

      # @see Hooks#perform
      def perform(*args)
        self.class.hooks.perform(*args)
      end
    end
  end
end
