# frozen_string_literal: true

require "json"
require "mawashi/resque/cron/by_hand"
require "mawashi/resque/cron/place"

module Mawashi
  module Resque
    module Cron
      # Shows the schedules to others, in Redis and without arguments, and serves what these ask for.
      module Listing
        # KEYS  1 set of namespaces  2 schedules of one of them
        # ARGV  1 the namespace  2 schedules  3 seconds that they are kept
        PUBLISH = <<~LUA
          #!lua
          redis.call('SADD', KEYS[1], ARGV[1])
          redis.call('EXPIRE', KEYS[1], ARGV[3])
          redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
        LUA
        KEPT_SECONDS = 90
        TEXT_MAX = 500
        ANSWER = "mw:cron:answer:"
        ANSWER_SECONDS = 60
        AT_ONCE = 10
        private_constant :PUBLISH, :KEPT_SECONDS, :TEXT_MAX, :ANSWER, :ANSWER_SECONDS, :AT_ONCE

        class << self
          # @param schedules [Array<Schedule>]
          # @param times [Hash{String=>Integer}] the next time of those that come at intervals, by name
          def publish(schedules, times)
            text = JSON.generate(schedules.map { |schedule| shown(schedule, times[schedule.name]) })
            Place.run(PUBLISH, Place.listed, [Place.namespace, text, KEPT_SECONDS.to_s])
          end

          # Enqueues the jobs that operators ask for, by the gem's own code. A request is an id and a schedule's name; each
          # has its answer in a list of its own.
          #
          # @yield has to return the schedules
          def serve
            AT_ONCE.times do
              request = Place.redis.rpop(Place.requests) or return
              id, name = request.split(" ", 2)
              schedule = yield.find { |one| Place.shown(one.name) == name }
              answer = schedule ? ByHand.new(schedule).enqueue : "-the schedule is gone"
              Place.redis.rpush("#{ANSWER}#{id}", answer)
              Place.redis.expire("#{ANSWER}#{id}", ANSWER_SECONDS)
            end
          end

          private

          def shown(schedule, following)
            texts = { "name" => Place.shown(schedule.name), "cron" => schedule.line, "zone" => schedule.zone,
                      "class" => schedule.job_class, "queue" => schedule.queue,
                      "description" => schedule.config["description"] }
            # A name is whole, or nobody could act on it.
            texts = texts.to_h { |key, text| [key, key == "name" ? text : text.to_s[0, TEXT_MAX]] }
            texts.merge("every" => schedule.every, "next" => following).compact
          end
        end
      end
    end
  end
end
