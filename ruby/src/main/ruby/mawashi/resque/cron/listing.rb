# frozen_string_literal: true

require "json"
require "mawashi/cron/asked"
require "mawashi/cron/marks"
require "mawashi/error"
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
          #{::Mawashi::Cron::Marks::NEED}
          need('EXPIRE', KEYS[1], 1)
          need('SET', KEYS[2], '')
          redis.call('SADD', KEYS[1], ARGV[1])
          redis.call('EXPIRE', KEYS[1], ARGV[3])
          redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
        LUA
        KEPT_SECONDS = 90
        TEXT_MAX = 500
        private_constant :PUBLISH, :KEPT_SECONDS, :TEXT_MAX

        class << self
          # @param schedules [Array<Schedule>]
          # @param times [Hash{String=>Integer}] the next time of those that come at intervals, by name
          def publish(schedules, times)
            text = JSON.generate(schedules.map { |schedule| shown(schedule, times[schedule.name]) })
            Place.run(PUBLISH, Place.listed, [Place.namespace, text, KEPT_SECONDS.to_s])
          end

          # Enqueues the jobs that operators ask for, by the gem's own code.
          #
          # @yield has to return the schedules
          def serve
            ::Mawashi::Cron::Asked.serve(Place.requests, ->(&use) { use.call(Place.redis) }) do |name|
              schedule = yield.find { |one| Place.shown(one.name) == name } or raise Error, "the schedule is gone"
              ByHand.new(schedule).enqueue
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
