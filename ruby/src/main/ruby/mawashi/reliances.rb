# frozen_string_literal: true

require "mawashi/held"
require "mawashi/known_reliances"
require "mawashi/own_log"

module Mawashi
  # The things that a loaded app relies on and does not get here, see {KnownReliances}.
  class Reliances
    # @param accepted [Array<String>] names that the operator accepts as they are
    # @raise [Error] when one of them is unknown
    def initialize(accepted)
      @accepted = accepted
      known = stopping.map(&:name)
      strange = accepted - known
      return if strange.empty?

      raise Error, "--accept #{strange.first}: there is nothing of that name to accept (#{known.join(", ")})"
    end

    # Says in the log what works in part.
    #
    # @raise [Error] when something would silently not happen
    def check
      found = KnownReliances::GEMS.select { |gem| defined_at?(gem.constant) }
      missing = found.select { |gem| gem.works == :no && !@accepted.include?(gem.name) }
      raise Error, missing.map { |gem| refusal(gem) }.join(" ") unless missing.empty?

      found.select { |gem| gem.works == :part }.each { |gem| OwnLog.say(:warn, "#{label(gem)}: #{said(gem)}") }
    end

    # @return [Array<String>] jobs with one of these fields are held
    def held_fields
      fields = KnownReliances::FIELDS.select { |field| field.works == :no && !@accepted.include?(field.name) }
      fields.reject { |field| field.constant && defined_at?(field.constant) }.map(&:name)
    end

    # Ends the run of a job that has such a field.
    #
    # @param name [String] of the field
    # @raise [Held]
    def self.hold(name)
      field = KnownReliances::FIELDS.find { |known| known.name == name }
      raise Held, "its payload asks for \"#{name}\", which is not here: #{field.instead}, " \
                  "or start with `--accept #{name}`"
    end

    private

    def stopping
      (KnownReliances::GEMS + KnownReliances::FIELDS).select { |known| known.works == :no }
    end

    def refusal(gem)
      "the app has #{label(gem)}, and #{said(gem)}. `--accept #{gem.name}` starts all the same."
    end

    def said(gem)
      gem.instead ? "#{gem.here} (#{gem.instead})" : gem.here
    end

    def label(gem)
      [gem.name, ::Gem.loaded_specs[gem.name]&.version].compact.join(" ")
    end

    # Loads nothing: a constant that is still to be autoloaded is not in use.
    def defined_at?(path)
      path.split("::").inject(Object) do |scope, name|
        return false unless scope.is_a?(Module) && scope.const_defined?(name, false) && !scope.autoload?(name, false)

        scope.const_get(name, false)
      end
      true
    end
  end
end
