# frozen_string_literal: true

require "logger"

module Mawashi
  # Decides whether jobs are logged by Sidekiq's own job logger, logger and formatter unchanged, so that their lines may be
  # written without calling these: none of them was replaced, extended or patched by the app or another gem, and what
  # they write to is a plain stream.
  module StockLog
    FORMATTERS = %i[Pretty Plain WithoutTimestamp JSON].freeze
    # What logs a job, where Sidekiq or Ruby's logger has it.
    JOB_LOGGER = %i[call prepare].freeze
    LOGGER = %i[info info? add level format_message format_severity].freeze
    FORMATTER = %i[call tid format_context ctx].freeze
    private_constant :FORMATTERS, :JOB_LOGGER, :LOGGER, :FORMATTER

    class << self
      # @param job_logger [Object] made as the app wants it
      # @param logger [Object] that it logs to
      def of?(job_logger, logger)
        plain?(job_logger, Sidekiq::JobLogger, JOB_LOGGER) && plain?(logger, Sidekiq::Logger, LOGGER) &&
          formatter?(logger.formatter) && device?(logger.instance_variable_get(:@logdev)) &&
          %i[current add].all? { |name| shipped?(Sidekiq::Context.method(name)) } && shipped?(Sidekiq.method(:dump_json))
      end

      private

      def formatter?(formatter)
        forms = Sidekiq::Logger::Formatters
        type = FORMATTERS.map { |name| forms.const_get(name, false) if forms.const_defined?(name, false) }
                         .find { |known| formatter.instance_of?(known) if known }
        !type.nil? && plain?(formatter, type, FORMATTER)
      end

      # What looks at a file's size at each line gets each of them by itself.
      def device?(device)
        plain?(device, ::Logger::LogDevice, %i[write]) && device.dev.is_a?(IO) &&
          device.dev.method(:write).source_location.nil? && !device.instance_variable_get(:@shift_age).to_i.positive?
      end

      def plain?(object, type, names)
        object.instance_of?(type) && object.singleton_methods.empty? && object.singleton_class.ancestors.include?(type) &&
          names.all? { |name| !responds?(type, name) || shipped?(type.instance_method(name)) }
      end

      def responds?(type, name)
        type.method_defined?(name) || type.private_method_defined?(name)
      end

      def shipped?(method)
        file = method.source_location&.first
        file.nil? || places.any? { |place| file.start_with?(place) }
      end

      # Where the files of Sidekiq and of Ruby's logger are.
      def places
        @places ||= [%r{/sidekiq/job_logger\.rb\z}, %r{/logger/log_device\.rb\z}].filter_map do |file|
          $LOADED_FEATURES.find { |loaded| file.match?(loaded) }&.delete_suffix(".rb")&.then { |path| File.dirname(path) }
        end.flat_map { |folder| ["#{folder}/", "#{folder}.rb"] }
      end
    end
  end
end
