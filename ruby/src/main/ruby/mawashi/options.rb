# frozen_string_literal: true

require "mawashi/options_check"
require "mawashi/options_file"
require "mawashi/origins"

module Mawashi
  # The settings of the command line and the app's config file, merged as Sidekiq's command merges them
  # (cli.rb, `setup_options`): a flag wins over the file, and in the file the section named like the
  # environment wins over the rest.
  class Options
    FILES = %w[sidekiq.yml sidekiq.yml.erb].freeze
    CONCURRENCY = (1..100_000)
    WEIGHT = (0..1_000_000)
    FLAGS = { require: "-r", tag: "-g", concurrency: "-c", timeout: "-t", queues: "-q", verbose: "-v" }.freeze
    private_constant :FLAGS

    class << self
      # @param flags [Hash{Symbol=>Object}] what was given: :require, :config_file, :environment, :tag,
      #   :verbose, :concurrency, :timeout, and :queues as a Hash of weights by name
      # @param environment [String] whose section of the file counts
      # @param origins [Origins] where options came from is noted
      # @return [Hash{Symbol=>Object}] all options of both; :queues and those of capsules as they were given, see
      #   {weights}
      # @raise [Error] when the file cannot be read or says what cannot be meant
      def read(flags, environment, origins = Origins.new)
        file = config_file(flags)
        origins.note_value("config_file", file, flags[:config_file] ? "-C" : Origins::DEFAULT) if file
        options = file ? from_file(file, environment, origins) : {}
        OptionsCheck.call(options, file)
        options.merge!(given(flags, origins))
        options[:config_file] = file if file
        options[:require] ||= "."
        take_threads(options, origins)
        options
      end

      # @param queues [Array, Hash] names, `"name,weight"` or `[name, weight]`; or weights by name
      # @param where [String] for what is wrong
      # @return [Array<Array(String, Integer)>] each queue's name and weight, 0 where none was given
      # @raise [Error]
      def weights(queues, where = "the settings")
        queues.map { |queue| queue(queue, where) }
      end

      # @param what [String] for what is wrong
      # @param range [Range] of whole numbers
      # @raise [Error] for any other value
      def whole(what, value, range)
        number = Integer(value.to_s, 10, exception: false)
        return number if number && range.cover?(number)

        raise Error, "#{what} is #{value.inspect}, must be a whole number from #{range.min} to #{range.max}"
      end

      # Sidekiq's are whole numbers.
      def seconds(number)
        number.to_i == number ? number.to_i : number
      end

      private

      def take_threads(options, origins)
        threads = ENV.fetch("RAILS_MAX_THREADS", "")
        return if threads.empty? || options[:concurrency]

        options[:concurrency] = whole("RAILS_MAX_THREADS", threads, CONCURRENCY)
        origins.note([:concurrency], "RAILS_MAX_THREADS")
      end

      def given(flags, origins)
        given = flags.reject { |name,| name == :config_file }
        given[:timeout] = seconds(given[:timeout]) if given[:timeout]
        given[:verbose] = true if given[:verbose]
        given[:queues] &&= given[:queues].map { |name, weight| weight.zero? ? name : "#{name},#{weight}" }
        FLAGS.each { |key, flag| origins.note([key], flag) if given[key] }
        given
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

      def from_file(file, environment, origins)
        options = OptionsFile.read(file)
        raise Error, "#{file} must hold keys and values, not #{options.class}" unless options.is_a?(Hash)

        section = options.delete(environment.to_sym)
        raise Error, "#{environment} in #{file} must hold keys and values" unless section.nil? || section.is_a?(Hash)

        origins.note(options.keys, file)
        origins.note(section.to_h.keys, "#{file}, section #{environment}")
        options.merge!(section || {})
        # Follows from the weights, since Sidekiq 6.
        options.delete(:strict)
        options
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
