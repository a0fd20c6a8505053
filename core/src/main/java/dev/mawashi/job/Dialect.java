package dev.mawashi.job;

/// In whose way jobs are enqueued, run and settled.
public enum Dialect {
    SIDEKIQ,
    RESQUE
}
