# frozen_string_literal: true

require "sidekiq/payload"

module Sidekiq
  # Puts jobs into queues.
  class Client
    BATCH_SIZE = 1_000

    class << self
      # @example
      #   Sidekiq::Client.push("class" => "AddJob", "args" => [1, 2])
      def push(item)
        new.push(item)
      end

      # @example
      #   Sidekiq::Client.push_bulk("class" => "AddJob", "args" => [[1, 2], [3, 4]])
      def push_bulk(items)
        new.push_bulk(items)
      end

      def enqueue(job_class, *args)
        job_class.client_push("class" => job_class, "args" => args)
      end

      def enqueue_to(queue, job_class, *args)
        job_class.client_push("queue" => queue, "class" => job_class, "args" => args)
      end

      def enqueue_in(interval, job_class, *args)
        job_class.perform_in(interval, *args)
      end

      def enqueue_to_in(queue, interval, job_class, *args)
        job_class.set(queue: queue).perform_in(interval, *args)
      end
    end

    # @return [String, nil] the job's jid; nil when a client middleware stopped it
    def push(item)
      built = Payload.build(item)
      job = through_middleware(item["class"], built) or return
      store([job])
      job["jid"]
    end

    # @param items [Hash] "args" is an array of argument lists; "at" is one time or one for each
    # @return [Array<String>] the jids of the jobs that were pushed
    def push_bulk(items)
      items = items.transform_keys(&:to_s)
      lists = items["args"]
      unless lists.is_a?(Array) && lists.all?(Array)
        raise ArgumentError, "Bulk arguments must be an Array of Arrays: [[1], [2]]"
      end

      times = times(items.delete("at"), lists.size)
      batch_size = items.delete("batch_size") || BATCH_SIZE
      lists.zip(times).each_slice(batch_size).flat_map { |slice| push_slice(items, slice) }
    end

    private

    def times(at, count)
      return [nil] * count if at.nil?

      all_numbers = Array(at).any? && Array(at).all?(Numeric)
      raise ArgumentError, "Job 'at' must be a Numeric or an Array of Numeric timestamps" unless all_numbers
      return [at] * count unless at.is_a?(Array)
      raise ArgumentError, "Job 'at' Array must have same size as 'args' Array" if at.size != count

      at
    end

    def push_slice(items, slice)
      jobs = slice.filter_map do |args, at|
        item = items.merge("args" => args)
        item["at"] = at if at
        through_middleware(items["class"], Payload.build(item))
      end
      store(jobs) unless jobs.empty?
      jobs.map { |job| job["jid"] }
    end

    def through_middleware(job_class, job)
      result = Sidekiq.default_configuration.client_middleware.invoke(job_class, job, job["queue"], nil) { job }
      return unless result

      Payload.verify_json(job)
      job
    end

    def store(jobs)
      Mawashi::Native.enqueue(jobs.map { |job| entry(job) })
    end

    def entry(job)
      at = job["at"]
      return [job["queue"], JSON.generate(job.except("at")), at.to_f] if at

      [job["queue"], JSON.generate(job.merge("enqueued_at" => Payload.now_ms)), nil]
    end
  end
end
