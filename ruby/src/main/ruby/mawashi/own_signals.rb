# frozen_string_literal: true

module Mawashi
  # Keeps the server's signals: where Ruby runs inside the server's process, a `trap` of the app would take the place of the
  # server's own handler, and nothing could stop the server any more. Sidekiq's command sets its handlers after it has loaded
  # the app, which comes to the same.
  module OwnSignals
    NAMES = %w[TERM INT TSTP TTIN HUP USR1].freeze

    # From here on the app cannot trap the server's signals.
    def self.keep
      Kernel.prepend(self)
      Kernel.singleton_class.prepend(self)
      Signal.singleton_class.prepend(self)
    end

    # Says that the app has trapped such a signal in vain.
    #
    # @param signal [String, Integer] as the app has named it
    def self.warn_of(signal)
      warn "mawashi: trap(#{signal.inspect}) has no effect, the server itself handles it; use config.on(:quiet) or (:shutdown)"
    end

    # @return [String] as if there had been no handler before
    def trap(signal, *command, &block)
      name = signal.is_a?(Integer) ? Signal.signame(signal) : signal.to_s.delete_prefix("SIG")
      return super unless NAMES.include?(name)

      OwnSignals.warn_of(name)
      "DEFAULT"
    end
  end
end
