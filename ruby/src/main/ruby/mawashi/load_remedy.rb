# frozen_string_literal: true

module Mawashi
  # What to do where JRuby does not find a gem that the machine's own Ruby finds.
  module LoadRemedy
    # Debian's gems, where no other Ruby looks.
    DEBIAN = "/usr/share/rubygems-integration"

    class << self
      # Loads something; a file that is not found is told with its remedy.
      def told
        yield
      rescue LoadError => e
        remedy = RUBY_ENGINE == "jruby" ? of(e.path) : nil
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
    end
  end
end
