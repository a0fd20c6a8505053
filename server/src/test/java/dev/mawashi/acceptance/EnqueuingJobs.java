package dev.mawashi.acceptance;

/// Ruby that enqueues the jobs of `enqueuing_jobs.rb`.
final class EnqueuingJobs {
    /// How many `PlainJob`s run by `PUSH`.
    static final int PLAIN = 18;

    /// Enqueues in each way that there is, and a job with a lock twice.
    static final String PUSH =
            """
            3.times { PlainJob.perform_async }
            PlainJob.perform_in(1)
            Sidekiq::Client.push_bulk("class" => PlainJob, "args" => [[1]] * 10)
            ForwardJob.perform_async
            FlakyJob.perform_async(1)
            PickyJob.set(retry: 0).perform_async
            Ledger.note("kept out", UniqueGateJob.perform_async("gate") ? 1 : 0, UniqueGateJob.perform_async("gate") ? 1 : 0)
            """;

    /// Makes all retries due.
    static final String HURRY =
            """
            require "sidekiq/api"
            Sidekiq::RetrySet.new.each { |entry| entry.reschedule(Time.now.to_f) }
            """;

    private EnqueuingJobs() {}
}
