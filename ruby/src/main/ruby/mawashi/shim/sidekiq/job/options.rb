# frozen_string_literal: true

module Sidekiq
  module Job
    # The options of a class for its jobs. Included by itself it serves classes that are no job classes,
    # such as ActiveJob's.
    module Options
      def self.included(type)
        type.extend(ClassMethods)
        type.sidekiq_class_attribute :sidekiq_options_hash, :sidekiq_retry_in_block, :sidekiq_retries_exhausted_block
      end

      # Options and blocks are inherited by subclasses.
      module ClassMethods
        # @example
        #   sidekiq_options queue: "low", retry: 3
        def sidekiq_options(options = {})
          named = options.to_h { |key, value| [key.to_s, value.is_a?(Hash) ? value.transform_keys(&:to_s) : value] }
          self.sidekiq_options_hash = get_sidekiq_options.merge(named)
        end

        def get_sidekiq_options # rubocop:disable Naming/AccessorMethodName -- Sidekiq's name
          sidekiq_options_hash || Sidekiq.default_job_options
        end

        # @example
        #   sidekiq_retry_in { |count, error| error.is_a?(IOError) ? 10 * (count + 1) : :kill }
        def sidekiq_retry_in(&block)
          self.sidekiq_retry_in_block = block
        end

        # @example
        #   sidekiq_retries_exhausted { |job, error| Alert.send(job["jid"], error) }
        def sidekiq_retries_exhausted(&block)
          self.sidekiq_retries_exhausted_block = block
        end

        # Gives the class values that its subclasses and instances have too, unless they set their own.
        #
        # @example
        #   sidekiq_class_attribute :owner
        #   self.owner = "billing"
        def sidekiq_class_attribute(*names)
          names.each do |name|
            variable = :"@#{name}"
            define_singleton_method(name) do
              next instance_variable_get(variable) if instance_variable_defined?(variable)

              superclass.public_send(name) if superclass.respond_to?(name)
            end
            define_singleton_method(:"#{name}=") { |value| instance_variable_set(variable, value) }
            define_method(name) do
              instance_variable_defined?(variable) ? instance_variable_get(variable) : self.class.public_send(name)
            end
            attr_writer name
          end
        end
      end
    end
  end
end
