package dev.mawashi.job;

/// The reason for which a failed job will not run again.
public enum GiveUp {
    /// The job has `retry: false`.
    NO_RETRY,
    /// Its `sidekiq_retry_in` answered `:discard`.
    DISCARDED,
    /// Its retries are used up, or its `sidekiq_retry_in` answered `:kill`.
    EXHAUSTED
}
