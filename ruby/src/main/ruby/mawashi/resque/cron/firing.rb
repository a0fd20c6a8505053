# frozen_string_literal: true

require "mawashi/cron/jobs"
require "mawashi/resque/cron/complaints"
require "mawashi/resque/cron/course"
require "mawashi/resque/cron/listing"
require "mawashi/resque/cron/marks"
require "mawashi/resque/cron/master_lock"
require "mawashi/resque/cron/place"
require "mawashi/resque/cron/schedules"
require "mawashi/resque/cron/tick"

module Mawashi
  module Resque
    module Cron
      # Enqueues the jobs of resque-scheduler's schedules when they are due, in the place of its own process. Of any number
      # of servers and resque-schedulers the one that holds the master's lock does. One thread's.
      class Firing
        # A job that could not be enqueued is tried again after so long,
        AGAIN_MS = 11_000
        # and left out when its time is so old.
        GRACE_MS = 60_000
        PUBLISH_SECONDS = 30
        # So many before the lock is looked at again.
        AT_ONCE = 200
        private_constant :AGAIN_MS, :GRACE_MS, :PUBLISH_SECONDS, :AT_ONCE

        def initialize(lock = MasterLock.new)
          @lock = lock
          @complaints = Complaints.new
        end

        # Enqueues what is due.
        #
        # @return [Float, nil] seconds until there is more
        def step
          wait = look
          publish
          Listing.serve { read }
          @complaints.over("all")
          wait
        rescue StandardError => e
          @courses = @schedules = nil
          @complaints.say("all", e)
          nil
        end

        # Has a step that is under way end soon. For any thread.
        def stop
          @is_stopping = true
        end

        # Lets another process enqueue.
        def leave
          @courses = nil
          @lock.leave
        rescue StandardError => e
          @complaints.say("all", e)
        end

        private

        def look
          # Nobody says that there are some now.
          read if @schedules.nil? || (@schedules.empty? && Schedules.dynamic?)
          @state = @schedules.empty? ? :none : @lock.take
          return give_way unless %i[fresh ours].include?(@state)

          begin_courses if @courses.nil? || @state == :fresh || Schedules.changed?
          due.each { |course| decide(course) unless @is_stopping || @courses.nil? }
          first = @courses&.map(&:look)&.min
          first && ((first - @lock.now) / 1_000.0)
        end

        def give_way
          @courses = nil
          @lock.leave
          nil
        end

        # @return [Array<Schedule>] as they are now
        def read
          wrong = []
          @schedules = Schedules.all do |name, error|
            wrong << name
            @complaints.say(name, error)
          end
          @complaints.keep(wrong + @schedules.map(&:name))
          @courses = @published_at = nil
          @schedules
        end

        # Goes on from the marks, with the schedules as they are at this moment. Those without a mark begin now.
        def begin_courses
          marks = Marks.read(read.map(&:name))
          Marks.keep(marks.keys)
          @courses = @schedules.map { |schedule| Course.new(schedule, *marks[schedule.name], @lock.now) }
          @courses.select(&:begun?).each { |course| Marks.decide(@lock.value, course.schedule.name, mark: course.beginning) }
        end

        # Where another server of ours is master it does.
        def publish
          now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
          return if @state == :mawashi || (@published_at && now - @published_at < PUBLISH_SECONDS)

          @published_at = now
          Listing.publish(@schedules, (@courses || []).to_h { |course| [course.schedule.name, course.following] })
        end

        def due
          @courses.select { |course| course.look <= @lock.now }.first(AT_ONCE)
        end

        def decide(course)
          due = course.due(@lock.now) or return course.look = course.following
          course.look = @lock.now + AGAIN_MS
          tick = Tick.new(course, due, @lock)
          return @courses = nil if enqueue(course, tick, due) == :lost

          @complaints.over(course.schedule.name)
        rescue StandardError, ScriptError => e
          raise if ::Mawashi::Cron::Jobs.unreachable?(e)

          ::Resque::Scheduler.failure_handler.on_enqueue_failure(course.schedule.config, e)
          tick.refuse(e) if @complaints.say(course.schedule.name, e) && tick&.open?
        end

        def enqueue(course, tick, due)
          return tick.leave_out("missed") if @lock.now - due > GRACE_MS
          return tick.leave_out("paused") if Place.redis.sismember(Place::PAUSED, Place.shown(course.schedule.name))

          tick.enqueue
        end
      end
    end
  end
end
