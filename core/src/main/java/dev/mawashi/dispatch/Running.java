package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;

/// A job that runs now.
///
/// @param thread what runs it, in words: a thread's name, or a process
/// @param pid of the process that runs it where that is a child; 0 for a thread of this process
/// @param startedNanos when it started, by the monotonic clock
public record Running(String thread, long pid, Lease lease, long startedNanos) {
    /// The same, as it runs in this process.
    Running in(long process) {
        return new Running(thread, process, lease, startedNanos);
    }

    /// The name of the place where it runs, unique among Sidekiq's jobs of a process, as the hash
    /// of running jobs has it.
    public String slot() {
        return Long.toString(lease.token(), Character.MAX_RADIX);
    }
}
