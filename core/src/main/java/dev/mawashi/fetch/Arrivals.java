package dev.mawashi.fetch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Parking;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Waits for work in several queues without polling: a parked connection for each queue.
///
/// A parker waits until it is armed, then in Redis until a job comes, which it claims in the same
/// round trip. It is armed only while a slot is idle. A job can still come to it after another
/// queue's job took the last idle slot; the claimer then finds it here and gives it back, so that
/// another process wakes for it. One that came and could not be claimed is in the queue's arrivals,
/// which every claim and every sweep looks after; its queue is among `signalled`.
///
/// A paused queue's parker does not park. One that is parked already stays so until its wait is
/// over; a job that comes to it meanwhile is given back by the claimer, as above, and since nobody
/// parks for it again it stays in the queue.
final class Arrivals implements AutoCloseable {
    /// Most parked connections; with more queues, the rest are looked at every `POLL`.
    static final int PARKED_MAX = 32;

    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration PARK = Duration.ofSeconds(10);

    /// An aborted wait ends at once; one that is just connecting takes as long as that.
    private static final Duration END_PATIENCE = Duration.ofSeconds(6);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition armed = lock.newCondition();
    private final Condition arrived = lock.newCondition();
    private final Condition closed = lock.newCondition();
    private final List<Parking> parked = new ArrayList<>();
    private final List<Thread> parkers = new ArrayList<>();
    private final Set<String> signalled = new HashSet<>();
    private final List<Claiming.Claimed> claimed = new ArrayList<>();
    private final OpenQueues queues;
    private final Epoch epoch;
    private final Runnable onArrival;
    private final Duration longestWait;
    private boolean isArmed;
    private boolean isWoken;
    private boolean isClosed;

    /// @param onArrival called on a parker's thread after each arrival
    Arrivals(Broker broker, OpenQueues queues, Epoch epoch, Runnable onArrival) {
        this.queues = queues;
        this.epoch = epoch;
        this.onArrival = onArrival;
        List<String> names = queues.names();
        longestWait = names.size() > PARKED_MAX ? POLL : Duration.ofSeconds(30);
        for (String queue : names.subList(0, Math.min(PARKED_MAX, names.size()))) {
            Parking parking = broker.parking();
            parked.add(parking);
            // No virtual thread: it would be woken by way of two others, which takes 0.3 ms.
            parkers.add(
                    Thread.ofPlatform()
                            .daemon()
                            .name("mawashi-park-" + parked.size())
                            .start(() -> park(parking, queue)));
        }
    }

    /// Waits until a job arrived in any queue, the wait is over, or this is closed.
    void await() {
        long left = longestWait.toNanos();
        lock.lock();
        try {
            isArmed = !hasSome() && !isClosed && !isWoken;
            armed.signalAll();
            while (isArmed && left > 0) {
                left = arrived.awaitNanos(left);
            }
            isArmed = false;
            isWoken = false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /// Ends an `await` from any thread, or the next one when none is under way: the claimer may be
    /// on its way there.
    void wake() {
        lock.lock();
        try {
            isWoken = true;
            isArmed = false;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /// What was claimed as it came, since the last call.
    List<Claiming.Claimed> takeClaimed() {
        lock.lock();
        try {
            List<Claiming.Claimed> taken = List.copyOf(claimed);
            claimed.clear();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /// The queues that a job arrived in since the last call, and was not claimed.
    List<String> takeSignalled() {
        lock.lock();
        try {
            List<String> queues = List.copyOf(signalled);
            signalled.clear();
            return queues;
        } finally {
            lock.unlock();
        }
    }

    /// Takes back what `takeSignalled` gave out and nobody could see to.
    void signalAgain(List<String> queues) {
        lock.lock();
        try {
            signalled.addAll(queues);
        } finally {
            lock.unlock();
        }
    }

    boolean isAny() {
        lock.lock();
        try {
            return hasSome();
        } finally {
            lock.unlock();
        }
    }

    private boolean hasSome() {
        return !signalled.isEmpty() || !claimed.isEmpty();
    }

    private void park(Parking parking, String queue) {
        while (awaitArmed(queue)) {
            try {
                Parking.Arrival arrival = parking.awaitArrival(queue, epoch.owner(), PARK);
                Claiming.Claimed early = arrival.claimed();
                boolean isClaimed = !early.leases().isEmpty() || early.buried() > 0;
                if (isClaimed) {
                    signal(() -> claimed.add(early));
                } else if (arrival.hasCome()) {
                    signal(() -> signalled.add(queue));
                }
            } catch (RedisFailure _) {
                // The claimer meets the same failure and reports it. A full server refuses to
                // park; the claimer's own script still drains the queue, at this pace.
                signal(() -> signalled.add(queue));
                pause();
            }
        }
        parking.close();
    }

    private void pause() {
        lock.lock();
        try {
            long left = RETRY_NANOS;
            while (!isClosed && left > 0) {
                left = closed.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitArmed(String queue) {
        lock.lock();
        try {
            while (!isClosed && (!isArmed || queues.isPaused(queue))) {
                armed.awaitUninterruptibly();
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    private void signal(Runnable note) {
        lock.lock();
        try {
            note.run();
            isArmed = false;
            arrived.signal();
        } finally {
            lock.unlock();
        }
        onArrival.run();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            isArmed = false;
            armed.signalAll();
            closed.signalAll();
            arrived.signal();
        } finally {
            lock.unlock();
        }
        parked.forEach(Parking::abort);
    }

    /// Waits, after `close`, until nothing more can come to be here: what is claimed from then on
    /// nobody would look for.
    void awaitParkers() {
        boolean isInterrupted = false;
        for (Thread parker : parkers) {
            try {
                parker.join(END_PATIENCE);
            } catch (InterruptedException _) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
