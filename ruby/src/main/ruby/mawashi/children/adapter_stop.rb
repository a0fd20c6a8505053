# frozen_string_literal: true

module Mawashi
  module Children
    # Has ActiveJob's adapter for Sidekiq say in forks that the server stops, so that jobs end between two of their steps
    # (ActiveJob::Continuable). It asks a flag that a block for :quiet sets, which is called in the forker alone.
    module AdapterStop
      # Goes before the adapter's own method.
      module Answer
        def stopping?(*)
          super || AdapterStop.launcher.stopping?
        end
      end

      class << self
        # @return [Launcher] knows of the stop in forks too
        attr_reader :launcher

        # Does nothing in an app that has no ActiveJob, or one whose adapter is not asked.
        #
        # @param launcher [Launcher]
        def join(launcher)
          @launcher = launcher
          return unless defined?(::ActiveSupport) && ::ActiveSupport.respond_to?(:on_load)

          ::ActiveSupport.on_load(:active_job) { AdapterStop.answer }
        end

        # It is loaded when it is first named.
        def answer
          adapter = ::ActiveJob::QueueAdapters::SidekiqAdapter
          adapter.prepend(Answer) if adapter.method_defined?(:stopping?)
        rescue LoadError, NameError
          # The adapter wants the sidekiq gem, or comes with it, and the app has none.
          nil
        end
      end
    end
  end
end
