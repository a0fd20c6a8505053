# frozen_string_literal: true

require "mawashi/children/link"

module Mawashi
  module Children
    # The objects that the app has put in the place of `$stdout` and `$stderr`: Ruby asks such objects for no more than
    # `write`.
    module Streams
      # Ruby flushes both before it forks, and cannot fork where they are closed or have no `flush`.
      def self.let_fork
        $stdout = STDOUT if closed?($stdout)
        $stderr = STDERR if closed?($stderr)
        [$stdout, $stderr].each do |stream|
          stream.define_singleton_method(:flush) { self } unless stream.respond_to?(:flush)
        end
      end

      # Has what a process prints that was just forked go to the server; there is nothing to read for it. The app may
      # have put something else in the place of `$stdout`.
      #
      # @param path [String] of the server's Unix socket
      # @param number [Integer] the process's place among the children
      def self.lead_to_server(path, number)
        { "O" => STDOUT, "E" => STDERR }.each do |role, stream|
          to_server = Link.connect(path, role, number).to_io
          # For writing only, as jobs know it.
          stream.reopen(IO.for_fd(to_server.fileno, "w", autoclose: false))
          to_server.close
        end
        sync
        $stdin.reopen(File::NULL)
      end

      # Has what is printed go out at once.
      def self.sync
        [STDOUT, STDERR, $stdout, $stderr].each { |stream| stream.sync = true if stream.respond_to?(:sync=) }
      end

      def self.closed?(stream)
        stream.respond_to?(:closed?) && stream.closed?
      end
      private_class_method :sync, :closed?
    end
  end
end
