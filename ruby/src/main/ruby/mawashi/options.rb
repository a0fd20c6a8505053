# frozen_string_literal: true

require "mawashi/options_file"

module Mawashi
  # The settings of the command line and the app's config file, merged as Sidekiq's command merges them
  # (cli.rb, `setup_options`): a flag wins over the file, and in the file the section named like the
  # environment wins over the rest.
  class Options
    FILES = %w[sidekiq.yml sidekiq.yml.erb].freeze
    CONCURRENCY = (1..100_000)
    WEIGHT = (0..1_000_000)

    class << self
      # @param flags [Hash{Symbol=>Object}] what was given: :require, :config_file, :environment, :tag,
      #   :verbose, :concurrency, :timeout, and :queues as a Hash of weights by name
      # @param environment [String] whose section of the file counts
      # @return [Hash{Symbol=>Object}] all options of both; :queues and those of capsules as they were given, see
      #   {weights}
      # @raise [Error] when the file cannot be read or says what cannot be meant
      def read(flags, environment)
        file = config_file(flags)
        options = file ? from_file(file, environment) : {}
        check(options, file)
        options.merge!(given(flags))
        options[:config_file] = file if file
        options[:require] ||= "."
        threads = ENV.fetch("RAILS_MAX_THREADS", "")
        options[:concurrency] ||= whole("RAILS_MAX_THREADS", threads, CONCURRENCY) unless threads.empty?
        options
      end

      # @param queues [Array, Hash] names, `"name,weight"` or `[name, weight]`; or weights by name
      # @param where [String] for what is wrong
      # @return [Array<Array(String, Integer)>] each queue's name and weight, 0 where none was given
      # @raise [Error]
      def weights(queues, where = "the settings")
        queues.map { |queue| queue(queue, where) }
      end

      private

      def given(flags)
        given = flags.reject { |name,| name == :config_file }
        given[:timeout] = seconds(given[:timeout]) if given[:timeout]
        given[:verbose] = true if given[:verbose]
        given[:queues] &&= given[:queues].map { |name, weight| weight.zero? ? name : "#{name},#{weight}" }
        given
      end

      # Sidekiq's are whole numbers.
      def seconds(number)
        number.to_i == number ? number.to_i : number
      end

      def config_file(flags)
        given = flags[:config_file]
        return if given == ""

        if given
          raise Error, "there is no config file #{given} (set it with -C)" unless File.file?(given)

          return given
        end
        app = flags[:require]
        directory = File.join(app && File.directory?(app) ? app : ".", "config")
        FILES.map { |name| File.join(directory, name) }.find { |path| File.file?(path) }
      end

      def from_file(file, environment)
        options = OptionsFile.read(file)
        raise Error, "#{file} must hold keys and values, not #{options.class}" unless options.is_a?(Hash)

        section = options.delete(environment.to_sym)
        raise Error, "#{environment} in #{file} must hold keys and values" unless section.nil? || section.is_a?(Hash)

        options.merge!(section || {})
        # Follows from the weights, since Sidekiq 6.
        options.delete(:strict)
        options
      end

      def check(options, file)
        check_pool(options, file)
        timeout = options[:timeout]
        if timeout
          number = Float(timeout, exception: false)
          raise Error, "timeout in #{file} is #{timeout.inspect}, must be seconds, 0 or more" unless number&.>=(0)

          options[:timeout] = seconds(number)
        end
        capsules = options[:capsules] or return
        raise Error, "capsules in #{file} must hold a name with options for each" unless hash_of_hashes?(capsules)

        capsules.each { |name, capsule| check_pool(capsule, "capsule #{name} of #{file}") }
      end

      def hash_of_hashes?(value)
        value.is_a?(Hash) && value.values.all?(Hash)
      end

      def check_pool(pool, where)
        concurrency = pool[:concurrency]
        pool[:concurrency] = whole("concurrency in #{where}", concurrency, CONCURRENCY) if concurrency
        check_queues(pool[:queues], where) if pool[:queues]
      end

      def whole(what, value, range)
        number = Integer(value.to_s, 10, exception: false)
        return number if number && range.cover?(number)

        raise Error, "#{what} is #{value.inspect}, must be a whole number from #{range.min} to #{range.max}"
      end

      def check_queues(queues, where)
        unless queues.is_a?(Array) || queues.is_a?(Hash)
          raise Error, "queues in #{where} must be a list, or weights by name, not #{queues.inspect}"
        end

        twice = weights(queues, where).map(&:first).tally.find { |_, count| count > 1 }
        raise Error, "queue #{twice.first} stands twice in #{where}: give it a weight instead" if twice
      end

      # `name`, `"name,weight"` or `[name, weight]`. A name is taken as it stands, white space included, as
      # Sidekiq takes it: jobs are enqueued under that very name.
      def queue(queue, where)
        name, weight, more = queue.is_a?(Array) ? queue : queue.to_s.split(",", -1)
        name = name.to_s
        if name.strip.empty? || more || queue.is_a?(Hash)
          raise Error, "#{queue.inspect} among the queues in #{where} is neither a name nor a name with its weight"
        end

        [name, weight.nil? ? 0 : whole("weight of queue #{name} in #{where}", weight.to_s.strip, WEIGHT)]
      end
    end
  end
end
