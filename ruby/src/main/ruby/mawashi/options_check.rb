# frozen_string_literal: true

module Mawashi
  # Checks what the app's config file says of pools and times. It looks at all parts, so that one reading finds all
  # mistakes.
  class OptionsCheck
    # @param options [Hash{Symbol=>Object}] of the file; numbers that are texts become numbers
    # @param file [String] its path, for what is wrong
    # @raise [Error] which names each mistake
    def self.call(options, file)
      check = new
      check.pool(options, file)
      check.timeout(options, file)
      check.capsules(options[:capsules], file)
      raise Error, check.mistakes.join("; ") unless check.mistakes.empty?
    end

    # @return [Array<String>]
    attr_reader :mistakes

    def initialize
      @mistakes = []
    end

    def pool(pool, where)
      concurrency = pool[:concurrency]
      if concurrency
        noting { pool[:concurrency] = Options.whole("concurrency in #{where}", concurrency, Options::CONCURRENCY) }
      end
      noting { queues(pool[:queues], where) } if pool[:queues]
    end

    def timeout(options, file)
      timeout = options[:timeout] or return
      number = Float(timeout, exception: false)
      return options[:timeout] = Options.seconds(number) if number&.>=(0)

      mistakes << "timeout in #{file} is #{timeout.inspect}, must be seconds, 0 or more"
    end

    def capsules(capsules, file)
      return if capsules.nil?

      if capsules.is_a?(Hash) && capsules.values.all?(Hash)
        capsules.each { |name, capsule| pool(capsule, "capsule #{name} of #{file}") }
      else
        mistakes << "capsules in #{file} must hold a name with options for each"
      end
    end

    private

    def noting
      yield
    rescue Error => e
      mistakes << e.message
    end

    def queues(queues, where)
      unless queues.is_a?(Array) || queues.is_a?(Hash)
        raise Error, "queues in #{where} must be a list, or weights by name, not #{queues.inspect}"
      end

      twice = Options.weights(queues, where).map(&:first).tally.find { |_, count| count > 1 }
      raise Error, "queue #{twice.first} stands twice in #{where}: give it a weight instead" if twice
    end
  end
end
