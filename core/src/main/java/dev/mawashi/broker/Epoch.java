package dev.mawashi.broker;

import java.time.Duration;

/// Under which name this process holds jobs, and until when it may start them.
///
/// A process whose lease lapsed, say because it was stopped for a minute, may have been recovered
/// by another. It then goes on as a new owner: what it held as the old one is not its own any more.
/// Written by the lease's thread, read by claimers and slots.
public final class Epoch {
    private final String identity;
    private int number;
    private volatile String owner;
    private volatile long leasedUntilNanos;
    private volatile boolean hasBeenLeased;
    private volatile boolean hasLapsed;
    private volatile long resumedNanos;
    private final LeasedQueues leased = new LeasedQueues();

    /// @param identity unique for the process: host, pid and a random part
    public Epoch(String identity) {
        this.identity = identity;
        this.owner = identity + "#0";
    }

    public String owner() {
        return owner;
    }

    /// The queues that it has a lease on for as long as there is work in them.
    public LeasedQueues leased() {
        return leased;
    }

    /// The lease is good until then, by the monotonic clock.
    public void leasedUntil(long nanos) {
        long now = System.nanoTime();
        if (hasBeenLeased && !isLeased(now)) {
            resumedNanos = now;
            hasLapsed = true;
        }
        leasedUntilNanos = nanos;
        hasBeenLeased = true;
    }

    /// False from a lapse on, until the lease has been good again for a while. What made it lapse,
    /// such as a Redis that was away, may have made those of other live processes lapse.
    public boolean isSteady(long nowNanos, Duration grace) {
        boolean hasLapsedNow = hasBeenLeased && !isLeased(nowNanos);
        return !hasLapsedNow && !(hasLapsed && nowNanos - resumedNanos < grace.toNanos());
    }

    /// True while claimed jobs may be started.
    public boolean isLeased(long nowNanos) {
        return nowNanos - leasedUntilNanos < 0;
    }

    /// Until when claimed jobs may be started, by the monotonic clock.
    public long leasedUntil() {
        return leasedUntilNanos;
    }

    /// Begins a new epoch and returns the new owner.
    public String advance() {
        number++;
        owner = identity + "#" + number;
        return owner;
    }
}
