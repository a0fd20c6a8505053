package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;

/// A job that runs now.
///
/// @param thread name of the thread that runs it
/// @param startedNanos when it started, by the monotonic clock
public record Running(String thread, Lease lease, long startedNanos) {}
