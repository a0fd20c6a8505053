# frozen_string_literal: true

module Sidekiq
  # A job class with options for the next push: what `set` returns.
  class Setter
    def initialize(job_class, options)
      @job_class = job_class
      @options = {}
      set(options)
    end

    # @example
    #   AddJob.set(queue: "low").set(wait: 5).perform_async(1, 2)
    def set(options)
      options = options.transform_keys(&:to_s)
      interval = options.delete("wait_until") || options.delete("wait")
      @options.merge!(options)
      wait(interval) if interval
      self
    end

    # @return [String] the jid
    def perform_async(*args)
      return perform_inline(*args) if @options["sync"] == true

      @job_class.client_push(@options.merge("args" => args, "class" => @job_class))
    end

    # Runs the job here and now, through both middleware chains.
    def perform_inline(*args)
      config = Sidekiq.default_configuration
      job = Payload.build(@options.merge("args" => args, "class" => @job_class))
      config.client_middleware.invoke(job["class"], job, job["queue"], config.redis_pool) { job } or return
      Payload.verify_json(job)
      job = Sidekiq.load_json(Sidekiq.dump_json(job))
      instance = @job_class.new
      instance.jid = job["jid"]
      config.server_middleware.invoke(instance, job, job["queue"]) do
        instance.perform(*job["args"])
        true
      end && true
    end
    alias perform_sync perform_inline

    # @param lists [Array<Array>] one list of arguments for each job
    # @param options [Hash] `batch_size:`, `at:`, `spread_interval:`
    def perform_bulk(lists, **options)
      items = @options.merge("args" => lists, "class" => @job_class).merge(options.transform_keys(&:to_s))
      @job_class.build_client(items.delete("pool")).push_bulk(items)
    end

    def perform_in(interval, *args)
      wait(interval)
      perform_async(*args)
    end
    alias perform_at perform_in

    private

    def wait(interval)
      at = Payload.due(interval)
      at ? @options["at"] = at : @options.delete("at")
    end
  end
end
