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

      @job_class.client_push(@options.merge("class" => @job_class, "args" => args))
    end

    # Runs the job here and now, through both middleware chains.
    def perform_inline(*args)
      config = Sidekiq.default_configuration
      job = Payload.build(@options.except("sync").merge("class" => @job_class, "args" => args))
      config.client_middleware.invoke(@job_class, job, job["queue"], nil) { job } or return
      job = JSON.parse(JSON.generate(job))
      instance = @job_class.new
      instance.jid = job["jid"]
      config.server_middleware.invoke(instance, job, job["queue"]) do
        instance.perform(*job["args"])
        true
      end || nil
    end
    alias perform_sync perform_inline

    # @param lists [Array<Array>] one list of arguments for each job
    def perform_bulk(lists, batch_size: Client::BATCH_SIZE, at: nil)
      items = @options.merge("class" => @job_class, "args" => lists, "batch_size" => batch_size)
      items["at"] = at if at
      Client.push_bulk(items)
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
