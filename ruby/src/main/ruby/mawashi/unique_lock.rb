# frozen_string_literal: true

module Mawashi
  # The lock of a job that must not be enqueued twice: what a payload's `unique_for` and `unique_until` ask for. It writes
  # into the payload what the server needs to free it.
  class UniqueLock
    # The field with the lock's digest.
    FIELD = "mw_lock"
    # The field of a job whose lock is freed before it begins.
    START = "mw_start"
    SECONDS_MAX = 10 * 366 * 86_400
    DIGEST = 14
    STORED = /\A([\w-]{#{DIGEST}})(?:~(\d{1,8}))?\z/.freeze
    UNTIL = %w[success start].freeze
    NUMBER = /\A\d{1,12}(\.\d{1,12})?\z/.freeze
    private_constant :SECONDS_MAX, :DIGEST, :STORED, :UNTIL, :NUMBER

    # @param job [Hash] a payload; one with a lock is changed
    # @return [UniqueLock, nil] nil where the job asks for none
    # @raise [ArgumentError] when an option is wrong
    def self.of(job)
      new(job) if wanted?(job)
    end

    # Whether a job asks for one.
    def self.wanted?(job)
      job["unique_for"] ? true : false
    end

    # @return [String] names the lock: what makes it the same job
    attr_reader :digest
    # @return [String] what the lock holds while it is this job's
    attr_reader :owner

    def initialize(job)
      @job = job
      seconds = seconds()
      @until_start = option("unique_until", "success") == "start"
      @milliseconds = milliseconds(seconds)
      job["unique_for"] = seconds
      name
      write
    end

    # @return [Array<String>] what the script wants to know of it before time and bytes of the job
    def words
      [digest, owner, class_name, @before, @milliseconds.to_s, @again ? "1" : ""]
    end

    private

    # A duration of Rails is a number too. JSON may have made a text of it, in a job that comes out of Redis.
    def seconds
      given = @job["unique_for"]
      number = given.to_f if given.is_a?(Numeric) || NUMBER.match?(given.to_s)
      return number == number.to_i ? number.to_i : number if number&.finite? && number.between?(0.001, SECONDS_MAX)

      refuse("unique_for: #{given.inspect} is no time", "give seconds above 0, such as 600, or false")
    end

    def option(name, otherwise)
      given = (@job[name] || otherwise).to_s
      return given if UNTIL.include?(given)

      refuse("#{name}: #{@job[name].inspect} is neither :success nor :start", "give one of them, or leave it out")
    end

    def refuse(problem, remedy)
      raise ArgumentError, "#{class_name}, #{problem}: #{remedy}"
    end

    # ActiveJob's own.
    def class_name
      (@job["wrapped"] || @job["class"]).to_s
    end

    # It lasts from when the job is due.
    def milliseconds(seconds)
      delay = @job["at"] ? [@job["at"].to_f - Time.now.to_f, 0].max : 0
      ([seconds + delay, SECONDS_MAX].min * 1_000).ceil
    end

    # A job that was in Redis before comes back under its jid, as by the poller of another Sidekiq: it must not be lost,
    # whoever holds the lock. Its number keeps the end of the run before from freeing its lock.
    def name
      jid = @job["jid"].to_s
      @again = STORED.match(@job[FIELD].to_s)
      if @again
        @digest = @again[1]
        @number = "~#{@again[2].to_i + 1}"
        @before = jid
      else
        @digest = [Digest::SHA256.digest(Sidekiq.dump_json(context))].pack("m0").tr("+/", "-_")[0, DIGEST]
        @before = job_before.to_s
      end
      @owner = "#{jid}#{@number}"
    end

    def write
      @job[FIELD] = "#{@digest}#{@number}"
      @until_start ? @job[START] = true : @job.delete(START)
    end

    # ActiveJob's `retry_on` enqueues a new job while the one before it still runs.
    def job_before
      @job["args"].first["provider_job_id"] if active_job?
    end

    def active_job?
      @job["wrapped"] && @job["args"].first.is_a?(Hash) && @job["args"].first.key?("arguments")
    end

    # What must be equal. ActiveJob's own argument has an id that never is.
    def context
      type = job_class
      return type.sidekiq_unique_context(@job) if type.respond_to?(:sidekiq_unique_context)

      args = active_job? ? @job["args"].first["arguments"] : @job["args"]
      [class_name, @job["queue"], args]
    end

    def job_class
      Object.const_get(class_name) if Object.const_defined?(class_name)
    rescue NameError
      nil
    end
  end
end
