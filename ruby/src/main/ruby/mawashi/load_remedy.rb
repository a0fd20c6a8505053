# frozen_string_literal: true

module Mawashi
  # The remedy where JRuby does not find a gem that the machine's own Ruby finds, or finds one that is made for that.
  module LoadRemedy
    # Debian's gems, where no other Ruby looks.
    DEBIAN = "/usr/share/rubygems-integration"

    class << self
      # Loads something; what is not found is raised with its remedy.
      def named
        yield
      rescue LoadError, NameError => e
        raise unless RUBY_ENGINE == "jruby"

        remedy = native(e.backtrace.to_a) || (of(e.path) if e.is_a?(LoadError))
        raise unless remedy

        raise e.class, "#{e.message} (#{remedy})", e.backtrace
      end

      # @param feature [String, nil] what was required
      # @param debian [String] where Debian has its gems
      # @return [String, nil] nil where Debian has none with that file
      def of(feature, debian = DEBIAN)
        return if feature.nil? || feature.empty? || feature.start_with?("/")

        file = Dir[File.join(debian, "*", "gems", "*", "lib", "#{feature.delete_suffix('.rb')}.rb")].first or return
        folders = [ENV["GEM_PATH"], file[%r{\A.*?(?=/gems/)}]].compact.reject(&:empty?)
        "Debian has it where JRuby does not look: set GEM_PATH=#{folders.join(':')}, or run with --runner mri"
      end

      # @param backtrace [Array<String>] of an error
      # @param gems [Array<Gem::Specification>] that are loaded
      # @return [String, nil] nil unless it was raised in a gem with C extensions
      def native(backtrace, gems = Gem.loaded_specs.values)
        place = backtrace.find { |line| !line.start_with?("org/jruby", "uri:") } or return
        gem = gems.find { |one| one.extensions.any? && place.start_with?("#{one.full_gem_path}/") } or return
        "#{gem.full_name} in #{gem.base_dir} has C extensions, which JRuby cannot load: take that folder out of " \
          "GEM_PATH and have JRuby install the gems, or run with --runner mri"
      end
    end
  end
end
