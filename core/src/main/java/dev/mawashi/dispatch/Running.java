package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;

/// A job that runs now.
///
/// @param startedNanos when it started, by the monotonic clock
public record Running(Lease lease, long startedNanos) {}
