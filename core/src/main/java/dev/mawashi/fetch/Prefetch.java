package dev.mawashi.fetch;

import java.time.Duration;

/// The number of jobs to hold ready beyond those that run: about ten milliseconds of work, by
/// measured run time. A queue of 10 µs jobs is claimed by the hundred, a queue of 10 s jobs one per
/// idle slot. One thread's.
public final class Prefetch {
    /// Most jobs held ready, however short they are: three claims' worth on their way, a fourth
    /// that slots work on, and half of one to spare.
    public static final int JOBS_MAX = 4 * Fetcher.CLAIM_MAX + Fetcher.CLAIM_MAX / 2;

    private static final double WORK_NANOS = Duration.ofMillis(10).toNanos();

    /// Weight of the newest measurement. High, because a wrong guess costs more when jobs get
    /// longer than it gains when they get shorter.
    private static final double NEWEST = 0.5;

    private final int slots;
    private double runNanos = Duration.ofMillis(10).toNanos();
    private long seenJobs;
    private long seenNanos;

    public Prefetch(int slots) {
        this.slots = slots;
    }

    /// Learns from the capsule's totals.
    ///
    /// @param jobs runs ended since the start
    /// @param nanos time they took, summed over all slots
    public void learn(long jobs, long nanos) {
        long newJobs = jobs - seenJobs;
        if (newJobs > 0) {
            double measured = (double) (nanos - seenNanos) / newJobs;
            runNanos += NEWEST * (measured - runNanos);
            seenJobs = jobs;
            seenNanos = nanos;
        }
    }

    /// Forgets what it learnt: jobs held ready waited for a slot in vain. None is held ready until
    /// runs that end show more, or one would be claimed and given back again and again.
    public void distrust() {
        runNanos = 2 * WORK_NANOS * slots;
    }

    /// Jobs to hold ready, 0 to `JOBS_MAX`.
    public int jobs() {
        return (int) Math.min(JOBS_MAX, slots * WORK_NANOS / Math.max(1.0, runNanos));
    }
}
