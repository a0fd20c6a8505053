# frozen_string_literal: true

module Mawashi
  class SchedulerGem
    # Goes before the methods of the gem's scheduler.
    module Firing
      # Does nothing in a process that is not to fire, whoever calls it there.
      def load_schedule!
        super if SchedulerGem.current
      ensure
        @mawashi_is_loaded = true
      end

      # A bad entry stops no other.
      def load_schedule_job(name, config)
        return if SchedulerGem.current&.turn&.come?(name) && Marks.kind(config) == "in"

        super
        mawashi_catch_up(name, config)
      rescue StandardError, ScriptError => e
        SchedulerGem.say(name, e)
      end

      # The gem's threads keep what is raised to themselves.
      def idempotent_job_enqueue(*)
        super
      rescue StandardError => e
        SchedulerGem.current ? SchedulerGem.current.raised(e) : raise
      end

      # Whether what another process of this server had loaded goes on, as Redis has it.
      def mawashi_goes_on?
        dynamic && !@mawashi_is_loaded && !SchedulerGem.current.turn.since.nil?
      end

      private

      # The gem's, which keeps errors in its log alone.
      def handle_errors
        yield
      rescue StandardError => e
        SchedulerGem.current ? SchedulerGem.current.raised(e) : raise
      end

      # Fires the last time of a line if it came while no process of this server could.
      def mawashi_catch_up(name, config)
        since = SchedulerGem.current&.turn&.since
        return if since.nil? || @mawashi_is_loaded || Marks.kind(config) != "cron" || !scheduled_jobs[name]

        time = scheduled_jobs[name].cron_line.previous_time(::EtOrbi::EoTime.now).to_t
        return if time < since.floor || !job_enabled?(name)

        idempotent_job_enqueue(name, time, ::SidekiqScheduler::Utils.sanitize_job_config(config))
      end
    end
  end
end
