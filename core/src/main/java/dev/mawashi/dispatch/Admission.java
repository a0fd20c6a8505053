package dev.mawashi.dispatch;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.job.Outcome;
import dev.mawashi.settle.Settler;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Decides whether a claimed job may still be started: only while this process holds the lease
/// under which it was claimed, since otherwise another may have recovered it, and only if it is
/// neither cancelled nor expired.
final class Admission {
    private static final long LEASE_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Epoch epoch;
    private final LeaseBuffer buffer;
    private final Settler settler;
    private final Listener listener;
    private final RunParts parts;

    Admission(RunParts parts, LeaseBuffer buffer) {
        epoch = parts.epoch();
        settler = parts.settler();
        listener = parts.listener();
        this.parts = parts;
        this.buffer = buffer;
    }

    /// Waits while the lease is in doubt.
    ///
    /// @return false when the job must not run here; it was seen to
    boolean admits(Lease lease, long nowNanos) {
        long now = nowNanos;
        while (!epoch.isLeased(now) && isCurrent(lease) && !buffer.isClosed()) {
            LockSupport.parkNanos(LEASE_WAIT_NANOS);
            now = System.nanoTime();
        }
        if (!isCurrent(lease)) {
            listener.on(new Event.ClaimsDropped(1));
            return false;
        }
        if (!epoch.isLeased(now)) {
            settler.settle(lease, Settlement.REQUEUE);
            return false;
        }
        if (parts.cancelled().has(lease)) {
            parts.settle(lease, Outcome.CANCELLED, (job, _) -> Optional.of(job));
            return false;
        }
        Optional<Settlement> expired = parts.policy().expired(lease);
        expired.ifPresent(end -> settler.settle(lease, end));
        return expired.isEmpty();
    }

    /// False when the process began a new epoch since the claim: others have this job now.
    private boolean isCurrent(Lease lease) {
        return lease.owner().equals(epoch.owner());
    }
}
