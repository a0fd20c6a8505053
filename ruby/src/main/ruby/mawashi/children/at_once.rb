# frozen_string_literal: true

module Mawashi
  module Children
    # The end of a process that has jobs or children.
    #
    # Ruby's own way out calls the app's handlers for the end while jobs go on, then ends their threads one by one,
    # which would say of themselves that they failed. Jobs that run when their process ends have done nothing, and
    # are to run again. So nothing else is done here than to be gone.
    module AtOnce
      # Calls the block. Unless that returns, whatever ended it ends the process at once.
      def self.ended
        status = 1
        yield
        is_over = true
      rescue SystemExit => e
        status = e.status
      rescue Exception => e # rubocop:disable Lint/RescueException -- the process ends here
        print(e)
      ensure
        exit!(status) unless is_over
      end

      # As Ruby does.
      def self.print(error)
        $stderr.puts(error.full_message(highlight: false))
      rescue Exception # rubocop:disable Lint/RescueException -- the process ends here
        nil
      end
      private_class_method :print
    end
  end
end
