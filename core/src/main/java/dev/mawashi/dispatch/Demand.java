package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/// The claimer's side of a `LeaseBuffer`: how many jobs its slots want, and which of those that it
/// holds none of them takes. The claimer's thread's; what it reads and changes of the buffer is
/// guarded by the buffer's lock.
final class Demand {
    /// How long jobs may lie there without any being taken before they are given back.
    private static final Duration STALE = Duration.ofMillis(100);

    private final LeaseBuffer buffer;

    Demand(LeaseBuffer buffer) {
        this.buffer = buffer;
    }

    /// The next step of the claimer.
    ///
    /// @param room jobs to claim; 0 when it was only woken
    /// @param stale jobs that lay there too long, taken out for giving back
    record Need(int room, List<Lease> stale) {}

    /// Waits until there is room, something is stale, or the buffer is poked.
    ///
    /// @param prefetch jobs to hold ready beyond those that run
    Need awaitNeed(int prefetch) {
        buffer.lock.lock();
        try {
            buffer.target = prefetch;
            List<Lease> stale = awaitStale(buffer.roomy, () -> wanted() > 0);
            boolean isNone = buffer.isClosed || !stale.isEmpty();
            return new Need(isNone ? 0 : Math.max(0, wanted()), stale);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Need(0, List.of());
        } finally {
            buffer.lock.unlock();
        }
    }

    /// Zero until half of what was held ready is gone, so that claims are few and large.
    private int wanted() {
        return buffer.leases.size() <= buffer.target / 2 ? buffer.room() : 0;
    }

    /// Waits until something is stale, or the buffer is poked, as it is by all that others put into
    /// it.
    ///
    /// @param prefetch jobs to hold ready beyond those that run
    /// @return jobs that lay there too long, taken out for giving back
    List<Lease> awaitStale(int prefetch) {
        buffer.lock.lock();
        try {
            buffer.target = prefetch;
            return awaitStale(buffer.poked, () -> false);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            buffer.lock.unlock();
        }
    }

    private List<Lease> awaitStale(Condition condition, BooleanSupplier isEnough)
            throws InterruptedException {
        long seen = buffer.taken;
        long left = STALE.toNanos();
        while (!buffer.isClosed && !buffer.isPoked && !isEnough.getAsBoolean()) {
            left = buffer.leases.isEmpty() ? STALE.toNanos() : left;
            left = condition.awaitNanos(left);
            if (buffer.taken != seen) {
                seen = buffer.taken;
                left = STALE.toNanos();
            } else if (left <= 0 && !buffer.leases.isEmpty()) {
                return buffer.drain();
            }
        }
        buffer.isPoked = false;
        return List.of();
    }

    /// For how many more jobs there is room now.
    ///
    /// @param prefetch jobs to hold ready beyond those that run
    int room(int prefetch) {
        buffer.lock.lock();
        try {
            buffer.target = prefetch;
            return buffer.room();
        } finally {
            buffer.lock.unlock();
        }
    }
}
