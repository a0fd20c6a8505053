package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The jobs that a capsule has claimed and no slot has started, between one claimer and many slots.
///
/// All fields are guarded by `lock`. Slots are woken one by one: each that was woken for a job
/// wakes the next while there are more, so that jobs of a few microseconds do not wake threads that
/// find nothing left. Those that are awake wake none: with each job they would wake one more, and
/// hundreds of threads would take turns at what a few do sooner.
final class LeaseBuffer {
    /// How long jobs may lie here without any being taken before they are given back.
    private static final Duration STALE = Duration.ofMillis(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition roomy = lock.newCondition();
    private final Condition poked = lock.newCondition();
    private final ArrayDeque<Lease> leases = new ArrayDeque<>();
    private int idleSlots;
    private int target;
    private long taken;
    private boolean hasIntakes;
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
            boolean hasWaited = lease == null;
            if (lease == null) {
                lease = awaitLease();
            }
            if (lease != null) {
                taken++;
                if (hasWaited && idleSlots > 0 && !leases.isEmpty()) {
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

    /// A consumer that holds several jobs at once takes them from now on.
    void open(Intake intake) {
        run(() -> {
            intake.isClosed = false;
            idleSlots += intake.idle();
            hasIntakes = true;
            roomy.signal();
        });
    }

    /// Takes jobs for such a consumer, waiting until there is one and room for it.
    ///
    /// @param patience longest wait while it holds more than it runs
    /// @return empty when the consumer or the buffer is closed, or after `poke(Intake)`, or in vain
    List<Lease> take(Intake intake, Duration patience) {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (!isClosed && !intake.isClosed && !intake.isPoked) {
                int share = intake.share(leases.size(), idleSlots - intake.idle());
                if (share > 0) {
                    return next(intake, share);
                }
                if (intake.held <= intake.slots) {
                    arrived.awaitUninterruptibly();
                    continue;
                }
                // Its jobs that end wake it too, and must not have it wait anew.
                left = arrived.awaitNanos(left);
                if (left <= 0) {
                    return List.of();
                }
            }
            intake.isPoked = false;
            return List.of();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    private List<Lease> next(Intake intake, int most) {
        List<Lease> batch = new ArrayList<>(most);
        idleSlots -= intake.idle();
        while (batch.size() < most && (intake.idle() > 0 || intake.hasRoomInBytes())) {
            Lease lease = leases.removeFirst();
            intake.hold(lease);
            batch.add(lease);
        }
        idleSlots += intake.idle();
        taken += batch.size();
        if (leases.size() <= target / 2) {
            roomy.signal();
        }
        return batch;
    }

    /// A consumer holds some of its jobs no more.
    void free(Intake intake, List<Lease> jobs) {
        run(() -> {
            if (intake.isClosed) {
                return;
            }
            idleSlots -= intake.idle();
            intake.letGo(jobs);
            idleSlots += intake.idle();
            arrived.signalAll();
            roomy.signal();
        });
    }

    /// How many jobs a consumer may hold beyond those that it runs.
    void lead(Intake intake, int jobs) {
        run(() -> {
            intake.ahead = jobs;
            arrived.signalAll();
        });
    }

    /// The consumer takes no more for a while, or takes jobs again.
    void rest(Intake intake, boolean isResting) {
        run(() -> {
            idleSlots -= intake.idle();
            intake.isResting = isResting;
            idleSlots += intake.idle();
            arrived.signalAll();
            roomy.signal();
        });
    }

    /// Has a `take` that waits return.
    void poke(Intake intake) {
        run(() -> {
            intake.isPoked = true;
            arrived.signalAll();
        });
    }

    /// The consumer is gone.
    void close(Intake intake) {
        run(() -> {
            if (!intake.isClosed) {
                idleSlots -= intake.idle();
                intake.isClosed = true;
                arrived.signalAll();
            }
        });
    }

    /// Puts back jobs that were taken and not begun. All are in the order of claiming then, so that
    /// it does not matter which of two consumers was first to give something back.
    void putBack(List<Lease> unbegun) {
        run(() -> {
            List<Lease> all = new ArrayList<>(unbegun);
            all.addAll(leases);
            all.sort(Comparator.comparingLong(Lease::token));
            leases.clear();
            leases.addAll(all);
            arrived.signalAll();
            poked.signal();
        });
    }

    /// Adds claimed jobs. After `close` they wait for `drain`.
    void add(List<Lease> claimed) {
        run(() -> {
            leases.addAll(claimed);
            if ((idleSlots > 0 || hasIntakes) && !leases.isEmpty()) {
                wakeConsumer();
            }
        });
    }

    private void wakeConsumer() {
        if (hasIntakes) {
            arrived.signalAll();
        } else {
            arrived.signal();
        }
    }

    /// Adds a job unless this is closed.
    boolean offer(Lease lease) {
        lock.lock();
        try {
            if (isClosed) {
                return false;
            }
            leases.add(lease);
            wakeConsumer();
            poked.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// For how many more jobs there is room: more would only be leased for longer.
    int room() {
        lock.lock();
        try {
            return idleSlots + target - leases.size();
        } finally {
            lock.unlock();
        }
    }

    /// The same.
    ///
    /// @param prefetch jobs to hold ready beyond those that run
    int room(int prefetch) {
        lock.lock();
        try {
            target = prefetch;
            return room();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until something is stale, or `poke` is called.
    ///
    /// @param prefetch jobs to hold ready beyond those that run
    /// @return jobs that lay here too long, taken out for giving back
    List<Lease> awaitStale(int prefetch) {
        lock.lock();
        try {
            target = prefetch;
            return awaitStale(poked, () -> false);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
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
            List<Lease> stale = awaitStale(roomy, () -> wanted() > 0);
            boolean isNone = isClosed || !stale.isEmpty();
            return new Need(isNone ? 0 : Math.max(0, wanted()), stale);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Need(0, List.of());
        } finally {
            lock.unlock();
        }
    }

    private List<Lease> awaitStale(Condition condition, BooleanSupplier isEnough)
            throws InterruptedException {
        long seen = taken;
        long left = STALE.toNanos();
        while (!isClosed && !isPoked && !isEnough.getAsBoolean()) {
            left = leases.isEmpty() ? STALE.toNanos() : left;
            left = condition.awaitNanos(left);
            if (taken != seen) {
                seen = taken;
                left = STALE.toNanos();
            } else if (left <= 0 && !leases.isEmpty()) {
                return drain();
            }
        }
        isPoked = false;
        return List.of();
    }

    /// Zero until half of what was held ready is gone, so that claims are few and large.
    private int wanted() {
        return leases.size() <= target / 2 ? room() : 0;
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

    boolean isEmpty() {
        return locked(() -> leases.isEmpty());
    }

    boolean hasIdleSlot() {
        return locked(() -> idleSlots > leases.size());
    }

    boolean isClosed() {
        return locked(() -> isClosed);
    }

    /// Wakes the claimer.
    void poke() {
        run(() -> {
            isPoked = true;
            roomy.signal();
            poked.signal();
        });
    }

    /// Starts no job any more and lets idle slots end.
    void close() {
        run(() -> {
            isClosed = true;
            arrived.signalAll();
            roomy.signalAll();
            poked.signalAll();
        });
    }

    private void run(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    private boolean locked(BooleanSupplier question) {
        lock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /// Takes out the jobs that no slot has started.
    List<Lease> drain() {
        List<Lease> all = new ArrayList<>();
        run(() -> {
            all.addAll(leases);
            leases.clear();
        });
        return all;
    }
}
