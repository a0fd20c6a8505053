# frozen_string_literal: true

require "mawashi/held_back_jobs"

module Mawashi
  # Notes what is being loaded, and through which `require` and `load` an error has passed, for {BootTrial} alone. Those
  # of `skipped` are answered as if they were done.
  #
  # An app may rescue what a `require` raises. So what errors have passed through is forgotten at the next one that is
  # done.
  module LoadWatch
    # Files that stand between a `require` and the line that has it.
    BETWEEN = %r{\A(uri:|org/jruby/)|/(zeitwerk|bootsnap|bundler)-\d}.freeze
    private_constant :BETWEEN

    class << self
      # @param skipped [Array<String>] what was required or loaded, as it was spelled
      # @param folder [String] of the app
      def start(skipped, folder)
        @skipped = skipped
        # `require_relative` follows links, `require` does not.
        @folders = [folder, File.realpath(folder)].map { |path| "#{path.delete_suffix("/")}/" }
        @thread = Thread.current
        @loading = []
        @passed = {}.compare_by_identity
        %i[require load].each { |name| wrap(name) }
        wrap_relative
      end

      # @return [Array<Array(String, String)>] through what an error has passed, the innermost first: what was required,
      #   and the line that requires it, "" for none of the app's or a gem's
      def passed_by(error)
        @passed.fetch(error, [])
      end

      # @return [String, nil] what the main thread is loading
      def loading
        @loading.last
      end

      # @return [Array<String>] where the main thread is
      def backtrace
        @thread.backtrace.to_a
      end

      # Whether a file, or a line of one, is the app's own and not a gem's within it.
      def in_app?(place)
        folder = @folders.find { |path| place.start_with?(path) } or return false
        !place.delete_prefix(folder).match?(%r{\A(vendor|\.bundle)/|/gems/})
      end

      # @param lines [Array<String>] of a backtrace
      # @return [String] the first of the app's lines, or the first of a gem's; "" for none
      def place(lines)
        without_method(lines.find { |line| in_app?(line) } || lines.find { |line| !line.match?(BETWEEN) })
      end

      # @param location [Thread::Backtrace::Location]
      # @return [String] its file, without links
      def path(location)
        path = location.absolute_path || location.path
        path.start_with?("uri:") ? path : File.realpath(path)
      end

      # Calls the block, which loads something.
      def around(feature)
        return yield unless Thread.current == @thread

        name = feature.respond_to?(:to_path) ? feature.to_path : feature.to_s
        skips?(name) || watched(name) { yield }
      end

      private

      def wrap(method)
        plain = Kernel.instance_method(method)
        single = Kernel.method(method)
        Kernel.define_method(method) do |name, *rest|
          LoadWatch.around(name) { plain.bind_call(self, name, *rest) }
        end
        Kernel.send(:private, method)
        Kernel.define_singleton_method(method) { |name, *rest| LoadWatch.around(name) { single.call(name, *rest) } }
      end

      # JRuby's own loads the file by itself, relative to the file that calls it.
      def wrap_relative
        Kernel.define_method(:require_relative) do |name|
          require File.expand_path(name, File.dirname(LoadWatch.path(caller_locations(1, 1).first)))
        end
        Kernel.send(:private, :require_relative)
      end

      def watched(name)
        is_done = false
        @loading << name
        answer = yield
        is_done = true
        @passed.clear
        HeldBackJobs.hold
        answer
      ensure
        (@passed[$!] ||= []) << [name, requirer] unless is_done
        @loading.pop
      end

      # What a gem requires by the same name may be rescued there.
      def skips?(name)
        return false unless @skipped.include?(name)

        place = requirer
        name.start_with?("/") || place.empty? || in_app?(place)
      end

      def requirer
        without_method(caller.find { |line| !line.match?(BETWEEN) })
      end

      def without_method(line)
        line.to_s.sub(/:in .*/m, "")
      end
    end
  end
end
