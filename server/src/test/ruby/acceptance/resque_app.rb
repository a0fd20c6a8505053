# frozen_string_literal: true

# Job classes of an app that enqueues with Resque too, without any gem.
require_relative "app"

class NotedJob
  class << self
    def before_perform_note(*args)
      Ledger.note("before", args.first)
    end

    def on_failure_note(error, *args)
      Ledger.note("failure", args.first, error.class)
    end

    def perform(jid, action = nil)
      Ledger.note("start", jid, name, RUBY_ENGINE)
      act(jid, action)
      Ledger.note("end", jid, name)
    end

    private

    def deaf(jid)
      Ledger.pass(jid)
    rescue Exception # rubocop:disable Lint/RescueException -- hears nothing
      Ledger.note("asked", jid)
      retry
    end

    def act(jid, action)
      case action
      when "raise" then raise IOError, "no disk for #{jid}"
      when "wait" then Ledger.pass(jid)
      when "deaf" then deaf(jid)
      when "kill" then Process.kill(:KILL, Process.pid)
      end
    end
  end
end

class LeftOutJob < NotedJob
  def self.before_perform_z_leave_out(*)
    raise Resque::Job::DontPerform
  end
end
