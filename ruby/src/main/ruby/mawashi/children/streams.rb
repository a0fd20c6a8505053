# frozen_string_literal: true

module Mawashi
  module Children
    # What the app has put in the place of `$stdout` and `$stderr`: Ruby asks such objects for no more than `write`.
    module Streams
      # Ruby flushes both before it forks, and cannot fork where they are closed or have no `flush`.
      def self.let_fork
        $stdout = STDOUT if closed?($stdout)
        $stderr = STDERR if closed?($stderr)
        [$stdout, $stderr].each do |stream|
          stream.define_singleton_method(:flush) { self } unless stream.respond_to?(:flush)
        end
      end

      # Has what is printed go out at once.
      def self.sync
        [STDOUT, STDERR, $stdout, $stderr].each { |stream| stream.sync = true if stream.respond_to?(:sync=) }
      end

      def self.closed?(stream)
        stream.respond_to?(:closed?) && stream.closed?
      end
      private_class_method :closed?
    end
  end
end
