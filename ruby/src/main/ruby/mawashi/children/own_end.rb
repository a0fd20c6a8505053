# frozen_string_literal: true

module Mawashi
  module Children
    # Hears when a job or a middleware sends its own process a signal that has Sidekiq finish its jobs and end, as gems do
    # that watch its memory. Signals that come from elsewhere have gone to the server too, or are none of its business:
    # nothing but the call separates one from the other.
    module OwnEnd
      SIGNALS = %w[TERM INT TSTP].freeze
      private_constant :SIGNALS

      class << self
        # @yieldparam signal [String] its name; on a thread of its own, since the call may come out of a `trap`, and a job
        #   may be ended in the middle
        def hear(&heard)
          @pid = Process.pid
          @heard = heard
          Process.singleton_class.prepend(self)
        end

        # Takes note of a signal that was sent.
        def sent(signal, pids)
          return unless Process.pid == @pid && pids.any? { |pid| @pid == pid }

          name = name_of(signal)
          Thread.new { report(name) } if SIGNALS.include?(name)
        end

        # @param signal [Integer, String, Symbol] as `Process.kill` takes it
        def asked_by?(signal)
          SIGNALS.include?(name_of(signal))
        end

        private

        def name_of(signal)
          signal.is_a?(Integer) ? Signal.signame(signal) : signal.to_s.delete_prefix("SIG")
        end

        def report(name)
          @heard.call(name)
        rescue SystemCallError, IOError
          # The server is gone, which ends this process too.
        end
      end

      def kill(signal, *pids)
        super.tap { OwnEnd.sent(signal, pids) }
      end
    end
  end
end
