# frozen_string_literal: true

require "mawashi/log_form"
require "socket"

module Mawashi
  # Writes a thread's lines about its jobs in place of Sidekiq's own job logger: the same bytes in the same order, each
  # before the job goes on, for a fraction of its time. On JRuby Java makes the lines.
  class JobLines
    # In a line that is JSON, other strings may need escapes.
    PLAIN = /\A[\w:.\-]*\z/.freeze
    private_constant :PLAIN

    # @return [Array<LogForm>] of the lines `start`, `done` and `fail`
    attr_reader :forms
    # @return [Array<String>] a job whose payload has one of these fields is not for here
    attr_reader :fields

    # @param logger [Sidekiq::Logger]
    def initialize(logger, forms, fields)
      @device = logger.instance_variable_get(:@logdev)
      @forms = forms
      @start, @done, @fail = forms
      @fields = fields
      @is_json = logger.formatter.instance_of?(Sidekiq::Logger::Formatters::JSON)
      @millis = 0
    end

    # Whether class and jid must be plain.
    def json?
      @is_json
    end

    # Begins a job if its lines can be written here.
    #
    # @param job [Hash] the payload
    # @return [Boolean]
    def start(job)
      @type = job["wrapped"] || job["class"]
      @jid = job["jid"]
      return false if !@type.is_a?(String) || !@jid.is_a?(String) || @fields.any? { |name| job.key?(name) }
      return false if @is_json && !(PLAIN.match?(@type) && PLAIN.match?(@jid))

      write(@start.line(time, @type, @jid))
      true
    end

    # The job that was begun last has ended.
    #
    # @param well [Boolean]
    # @param seconds [Float] that it took
    def end(well, seconds)
      write((well ? @done : @fail).line(time, @type, @jid, seconds))
    end

    # @param line [String]
    def write(line)
      io = @device.dev
      socket?(io) ? write_at_once(io, line) : @device.write(line)
    rescue StandardError
      # There is nowhere left to say it.
      nil
    end

    private

    # As `Time#iso8601(3)` has it; the same object within a millisecond.
    def time
      millis = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)
      return @time if millis == @millis

      @millis = millis
      @time = Time.at(millis / 1_000, millis % 1_000, :millisecond).utc.strftime("%Y-%m-%dT%H:%M:%S.%LZ")
    end

    # A write that cannot wait does not give up Ruby's lock, for which all other threads would be woken. Where it would
    # have to wait, it is made like any other; both under the lock of the device, so that no other line comes between.
    def write_at_once(io, line)
      @device.mon_synchronize do
        written = @socket.write_nonblock(line, exception: false)
        return if written == line.bytesize

        io.write(written.is_a?(Integer) ? line.byteslice(written, line.bytesize) : line)
      end
    rescue StandardError
      # It says so as ever.
      @device.write(line)
    end

    # As the standard output of a child is one, and nothing is in Ruby's own buffer. Not another stream: one that is
    # made not to wait does so for every process that has it too, such as those that jobs start.
    def socket?(io)
      return @socket && io.sync if io.equal?(@io)

      @io = io
      @socket = (BasicSocket.for_fd(io.fileno).tap { |socket| socket.autoclose = false } if RUBY_ENGINE == "ruby" && io.stat.socket?)
      @socket && io.sync
    end
  end
end
