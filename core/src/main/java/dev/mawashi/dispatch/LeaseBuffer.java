package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The jobs that a capsule has claimed and no slot has started, between one claimer and many slots.
///
/// All fields are guarded by `lock`. Slots are woken one by one: each that takes a job wakes the
/// next while there are more, so that jobs of a few microseconds do not wake threads that find
/// nothing left.
final class LeaseBuffer {
    /// How long jobs may lie here without any being taken before they are given back.
    private static final Duration STALE = Duration.ofMillis(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition roomy = lock.newCondition();
    private final ArrayDeque<Lease> leases = new ArrayDeque<>();
    private int idleSlots;
    private int target;
    private long taken;
    private boolean isPoked;
    private boolean isClosed;

    /// What the claimer is to do next.
    ///
    /// @param room jobs to claim; 0 when it was only woken
    /// @param stale jobs that lay here too long, taken out for giving back
    record Need(int room, List<Lease> stale) {}

    /// Takes the next job for a slot; null when the buffer is closed.
    @Nullable Lease take() {
        lock.lock();
        try {
            Lease lease = next();
            if (lease == null) {
                lease = awaitLease();
            }
            if (lease != null) {
                taken++;
                if (idleSlots > 0 && !leases.isEmpty()) {
                    arrived.signal();
                }
                if (leases.size() == target / 2) {
                    roomy.signal();
                }
            }
            return lease;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Lease awaitLease() {
        idleSlots++;
        roomy.signal();
        try {
            Lease lease = next();
            while (lease == null && !isClosed) {
                arrived.awaitUninterruptibly();
                lease = next();
            }
            return lease;
        } finally {
            idleSlots--;
        }
    }

    private @Nullable Lease next() {
        return isClosed ? null : leases.pollFirst();
    }

    /// Adds claimed jobs. After `close` they wait for `drain`.
    void add(List<Lease> claimed) {
        lock.lock();
        try {
            leases.addAll(claimed);
            if (idleSlots > 0 && !leases.isEmpty()) {
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until there is room, something is stale, or `poke` is called.
    ///
    /// @param prefetch jobs to hold ready beyond those that run
    Need awaitNeed(int prefetch) {
        lock.lock();
        try {
            target = prefetch;
            long seen = taken;
            long left = STALE.toNanos();
            while (!isClosed && !isPoked && room() <= 0) {
                left = leases.isEmpty() ? STALE.toNanos() : left;
                left = roomy.awaitNanos(left);
                if (taken != seen) {
                    seen = taken;
                    left = STALE.toNanos();
                } else if (left <= 0 && !leases.isEmpty()) {
                    return new Need(0, drain());
                }
            }
            isPoked = false;
            return new Need(isClosed ? 0 : Math.max(0, room()), List.of());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Need(0, List.of());
        } finally {
            lock.unlock();
        }
    }

    /// Zero until half of what was held ready is gone, so that claims are few and large.
    private int room() {
        int free = idleSlots + target - leases.size();
        boolean isLow = leases.size() <= target / 2;
        return isLow ? free : 0;
    }

    /// Waits until nothing is held here and so many slots are idle.
    ///
    /// @return false when that took longer than `patience`
    boolean awaitAllIdle(int slots, Duration patience) {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (!isClosed && (idleSlots < slots || !leases.isEmpty())) {
                if (left <= 0) {
                    return false;
                }
                left = roomy.awaitNanos(left);
            }
            return !isClosed;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    boolean hasIdleSlot() {
        lock.lock();
        try {
            return idleSlots > leases.size();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    /// Wakes the claimer.
    void poke() {
        lock.lock();
        try {
            isPoked = true;
            roomy.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Starts no job any more and lets idle slots end.
    void close() {
        lock.lock();
        try {
            isClosed = true;
            arrived.signalAll();
            roomy.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Takes out the jobs that no slot has started.
    List<Lease> drain() {
        lock.lock();
        try {
            List<Lease> all = new ArrayList<>(leases);
            leases.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }
}
