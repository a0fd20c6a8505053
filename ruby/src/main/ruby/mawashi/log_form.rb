# frozen_string_literal: true

module Mawashi
  # The form of a line about a job, learnt from the app's formatter: it formats a job whose fields are known, and
  # these are found again in what it says.
  class LogForm
    TIME = Time.utc(2001, 2, 3, 4, 5, 6.789r)
    PROBES = {
      "2001-02-03T04:05:06.789Z" => :time, "MawashiProbeJob" => :class, "mawashi0probe0jid" => :jid, "76543.219" => :elapsed
    }.freeze
    private_constant :TIME, :PROBES

    # @param message [String] of the line, such as "start"
    # @param logger [Sidekiq::JobLogger] knows what the line says beside it
    # @param formatter [#call]
    # @return [LogForm, nil] nil when the line is another than those that can be made here
    def self.learn(message, logger, formatter)
      text = nil
      logger.prepare({ "class" => "MawashiProbeJob", "jid" => "mawashi0probe0jid" }) do
        Sidekiq::Context.add(:elapsed, 76_543.219) unless message == "start"
        text = formatter.call("INFO", TIME, nil, message)
      end
      parts = text.split(/(#{PROBES.keys.map { |probe| Regexp.escape(probe) }.join("|")})/).map { |part| PROBES.fetch(part, part) }
      new(parts) if well?(parts.grep(Symbol) - [:time], message)
    end

    def self.well?(fields, message)
      return fields.sort == %i[class jid] if message == "start"

      fields.sort == %i[class elapsed jid] && fields.last == :elapsed
    end
    private_class_method :well?

    # @return [Array<String, Symbol>] its texts, and where the time, the class, the jid and the seconds elapsed stand
    attr_reader :parts

    def initialize(parts)
      @parts = parts
      jid = parts.index(:jid)
      elapsed = parts.index(:elapsed) || parts.size
      @head = parts[0...jid]
      @middle = parts[jid + 1...elapsed]
      @tail = (parts[elapsed + 1..] || []).join
    end

    # @param time [String]
    # @param type [String] the class
    # @param jid [String]
    # @param elapsed [Float, nil]
    # @return [String]
    def line(time, type, jid, elapsed = nil)
      # What jobs of one class within a millisecond share is kept.
      unless time.equal?(@time) && type == @type
        @time = time
        @type = type
        @before = fill(@head)
        @after = fill(@middle)
      end
      "#{@before}#{jid}#{@after}#{elapsed}#{@tail}"
    end

    private

    def fill(parts)
      parts.map { |part| { time: @time, class: @type }.fetch(part, part) }.join
    end
  end
end
