package dev.mawashi.broker;

import java.time.Duration;

/// The name under which this process holds jobs, and the time until which it may start them.
///
/// Others may have recovered the jobs of a process whose lease lapsed, say because it was stopped
/// for a minute. The process then goes on as a new owner: what it held as the old one is its own no
/// more. Written by the lease's thread, read by claimers and slots.
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

    /// The queues that this process has a lease on only while there is work in them.
    public LeasedQueues leased() {
        return leased;
    }

    /// Notes until when the lease is good, by the monotonic clock.
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
    /// such as a Redis that was away, may have made the leases of other live processes lapse too.
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
