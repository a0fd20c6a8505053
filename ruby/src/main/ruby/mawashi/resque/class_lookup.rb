# frozen_string_literal: true

require "mawashi/class_lookup"
require "mawashi/resque/job"

module Mawashi
  module Resque
    # Finds a Resque job class by the name a payload gives, as carefully as {Mawashi::ClassLookup} does.
    module ClassLookup
      # @param name [String] also with dashes, as Resque takes it (`archive-job`)
      # @return [Class] see {Job}
      # @raise [NameError] when there is none, a NoMethodError when it has no class method `perform`
      # @example
      #   Mawashi::Resque::ClassLookup.job_class("ArchiveJob")
      def self.job_class(name)
        found = Mawashi::ClassLookup.constant(name.include?("-") ? name.split("-").map(&:capitalize).join : name)
        lookup = Mawashi::ClassLookup
        lookup.refuse("#{name} is not a Resque job class (it has no class method perform)") unless found.is_a?(Module)
        return Job.of(found) if found.respond_to?(:perform)

        lookup.refuse(no_method(found), NoMethodError)
      end

      # In Ruby's own words, of each version, without a call that the class might answer.
      def self.no_method(type)
        kind = type.class
        return "undefined method 'perform' for #{kind.name.downcase} #{type}" if RUBY_VERSION >= "3.4"
        return "undefined method `perform' for #{kind.name.downcase} #{type}" if RUBY_VERSION >= "3.3"

        "undefined method `perform' for #{type}:#{kind}"
      end
      private_class_method :no_method
    end
  end
end
