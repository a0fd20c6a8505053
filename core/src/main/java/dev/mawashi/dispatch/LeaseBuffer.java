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
/// All fields are guarded by `lock`. Its claimer sees them through a `Demand` and waits for
/// `roomy`; when others claim for it, for `poked`. Consumers wait for `arrived`.
///
/// Slots in threads take one job at a time, with `take`. They are woken one by one: each that was
/// woken for a job wakes the next while there are more, so that jobs of a few microseconds do not
/// wake threads that find nothing left. Those that are awake wake none: with each job they would
/// wake one more, and hundreds of threads would take turns at what a few do sooner.
///
/// Children take many jobs at a time, each through an `Intake` that knows what it holds. They are
/// few, and what one leaves another may be free to take, so all are woken. A job that arrives for
/// an idle slot of theirs wakes none: the thread that brings it sends it.
final class LeaseBuffer {
    final ReentrantLock lock = new ReentrantLock();
    final Condition arrived = lock.newCondition();
    final Condition roomy = lock.newCondition();
    final Condition poked = lock.newCondition();
    final ArrayDeque<Lease> leases = new ArrayDeque<>();

    /// What the jobs cost that wait here, or were taken and are not over.
    final PayloadBudget.Part payloads;

    /// Slots that could begin a job at once: threads that wait here, and what children run less
    /// than they could.
    int idleSlots;

    /// Jobs to hold ready beyond one for each idle slot.
    int target;

    /// Jobs taken since the start.
    long taken;

    /// The intakes that are open.
    final List<Taker> takers = new ArrayList<>();

    boolean isPoked;
    boolean isClosed;

    /// Takes many jobs at a time, and can be given one.
    interface Taker {
        /// How many of its slots could begin this job if it is given to it; 0 when it has to `take`
        /// it.
        int idleFor(Lease lease);

        /// Holds the job from now on.
        void hold(Lease lease);

        /// Has a job run that it holds. Called without the lock.
        void send(Lease lease);
    }

    LeaseBuffer(PayloadBudget.Part payloads) {
        this.payloads = payloads;
    }

    /// Adds claimed jobs. After `close` they wait for `drain`.
    void add(List<Lease> claimed) {
        run(() -> {
            leases.addAll(claimed);
            payloads.take(payloads.cost(claimed));
            if ((idleSlots > 0 || !takers.isEmpty()) && !leases.isEmpty()) {
                wakeConsumer();
            }
        });
    }

    private void put(Lease lease) {
        leases.add(lease);
        payloads.take(payloads.cost(lease));
    }

    private void wakeConsumer() {
        if (takers.isEmpty()) {
            arrived.signal();
        } else {
            arrived.signalAll();
        }
    }

    /// Adds a job that another capsule's claimer has claimed, unless this is closed.
    ///
    /// @return false when it takes none any more
    boolean offer(Lease lease) {
        return locked(() -> {
            if (!isClosed) {
                put(lease);
                wakeConsumer();
                poked.signal();
            }
            return !isClosed;
        });
    }

    /// Hands a job over that arrived, if a slot is idle and nothing waits for it.
    ///
    /// @param before called before a slot can have the job
    /// @return false when none is idle, the jobs have too many bytes, or this is closed
    boolean begin(Lease lease, Runnable before) {
        Taker taker;
        lock.lock();
        try {
            if (isClosed || idleSlots <= leases.size() || payloads.isFull()) {
                return false;
            }
            before.run();
            taker = leases.isEmpty() ? takerOf(lease) : null;
            if (taker == null) {
                put(lease);
                wakeConsumer();
            }
        } finally {
            lock.unlock();
        }
        if (taker != null) {
            taker.send(lease);
        }
        return true;
    }

    /// The one with the most idle slots, which holds the job now; null when a job for children has
    /// to wait until one takes it, or slots are threads.
    private @Nullable Taker takerOf(Lease lease) {
        Taker taker = null;
        int most = 0;
        for (Taker one : takers) {
            int idle = one.idleFor(lease);
            if (idle > most) {
                taker = one;
                most = idle;
            }
        }
        if (taker != null) {
            taker.hold(lease);
        }
        return taker;
    }

    /// For how many more jobs there is room: more would only be leased for longer.
    int room() {
        lock.lock();
        try {
            return payloads.isFull() ? 0 : idleSlots + target - leases.size();
        } finally {
            lock.unlock();
        }
    }

    /// Takes the next job for a slot; null when the buffer is closed.
    ///
    /// @param over what the slot's job before it has cost, which is over
    @Nullable Lease take(long over) {
        lock.lock();
        try {
            if (payloads.free(over)) {
                roomy.signal();
            }
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

    /// Puts back jobs that were taken and not begun. All are in the order of claiming then, so that
    /// it does not matter which of two consumers was first to give something back.
    void putBack(List<Lease> unbegun) {
        run(() -> {
            List<Lease> all = new ArrayList<>(unbegun);
            all.addAll(leases);
            all.sort(Comparator.comparingLong(Lease::token));
            leases.clear();
            leases.addAll(all);
            payloads.take(payloads.cost(unbegun));
            arrived.signalAll();
            poked.signal();
        });
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

    /// Whether idle slots stay so until other jobs are over, since these have too many bytes.
    boolean isFull() {
        return locked(() -> payloads.isFull() && idleSlots > leases.size());
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

    /// Takes out the jobs that no slot has started.
    List<Lease> drain() {
        List<Lease> all = new ArrayList<>();
        run(() -> {
            all.addAll(leases);
            leases.clear();
            payloads.free(payloads.cost(all));
        });
        return all;
    }

    /// Counts idle slots of children anew and wakes those who wait for such a change: what one
    /// leaves may be another's, and what it wants has perhaps to be claimed. To be called with the
    /// lock.
    void countIdle(int change) {
        idleSlots += change;
        arrived.signalAll();
        roomy.signal();
    }

    void run(Runnable change) {
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
}
