# frozen_string_literal: true

require "mawashi/class_lookup"
require "mawashi/resque/job"

module Mawashi
  module Resque
    # Finds a Resque job class by the name a payload gives, as carefully as {Mawashi::ClassLookup} does.
    module ClassLookup
      # @param name [String] also with dashes, as Resque takes it (`archive-job`)
      # @return [Class] see {Job}
      # @raise [NameError] when there is none, or when it has no class method `perform`
      # @example
      #   Mawashi::Resque::ClassLookup.job_class("ArchiveJob")
      def self.job_class(name)
        found = Mawashi::ClassLookup.constant(name.include?("-") ? name.split("-").map(&:capitalize).join : name)
        return Job.of(found) if found.is_a?(Module) && found.respond_to?(:perform)

        raise NameError, "#{name} is not a Resque job class (it has no class method perform)"
      end
    end
  end
end
