package dev.mawashi.fetch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.LeasedQueues;
import dev.mawashi.broker.Parking;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Waits for work in several queues without polling: a parked connection for each of the first
/// queues, and one that watches all the rest.
///
/// A parker waits until it is armed, then in Redis until a job comes. It is armed only while a slot
/// is idle. A job can still come to it after another queue's job took the last idle slot; the
/// claimer then finds the queue among `signalled` and gives the job back, so that another process
/// wakes for it. Should this process die in between, the job is in the queue's arrivals, which
/// every claim and every sweep looks after.
///
/// A paused queue's parker does not park. One that is parked already stays so until its wait is
/// over; a job that comes to it meanwhile is given back by the claimer, as above, and since nobody
/// parks for it again it stays in the queue.
///
/// The rest are watched, and nothing is taken from them: a job in any of them only ends the wait,
/// here and in every other process that watches its queue.
final class Arrivals implements AutoCloseable {
    /// Most parked connections.
    static final int PARKED_MAX = 32;

    /// The claimer looks for itself that often, though nothing should ever be left for it.
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final Duration PARK = Duration.ofSeconds(10);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition armed = lock.newCondition();
    private final Condition arrived = lock.newCondition();
    private final List<Parking> parked = new ArrayList<>();
    private final Set<String> signalled = new HashSet<>();
    private final OpenQueues queues;
    private final Runnable onArrival;
    private final Rest rest;
    private boolean isArmed;
    private boolean isWoken;
    private boolean isClosed;

    /// @param leased which of the rest may be claimed from
    /// @param onArrival called on a parker's thread after each arrival
    Arrivals(Broker broker, OpenQueues queues, LeasedQueues leased, Runnable onArrival) {
        this.queues = queues;
        this.onArrival = onArrival;
        for (String queue : queues.order().parked()) {
            Parking parking = broker.parking();
            parked.add(parking);
            // No virtual thread: it would be woken by way of two others, which takes 0.3 ms.
            Thread.ofPlatform()
                    .daemon()
                    .name("mawashi-park-" + parked.size())
                    .start(() -> park(parking, queue));
        }
        rest = new Rest(broker, queues, leased, this::wake);
    }

    /// The queues that nobody parks at.
    Rest rest() {
        return rest;
    }

    /// Waits until a job arrived in any queue, the wait is over, or this is closed.
    void await() {
        long left = WAIT_MAX.toNanos();
        boolean hasWork = rest.hasWork();
        lock.lock();
        try {
            isArmed = signalled.isEmpty() && !isClosed && !isWoken && !hasWork;
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

    /// The queues that a job arrived in since the last call.
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

    boolean hasSignalled() {
        lock.lock();
        try {
            return !signalled.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void park(Parking parking, String queue) {
        while (awaitArmed(() -> !queues.isPaused(queue))) {
            try {
                if (parking.awaitArrival(queue, PARK)) {
                    signal(queue);
                }
            } catch (RedisFailure _) {
                // The claimer meets the same failure and reports it. A full server refuses to
                // park; the claimer's own script still drains the queue, at this pace.
                signal(queue);
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
        parking.close();
    }

    /// @param isWanted asked again each time that this is armed
    private boolean awaitArmed(BooleanSupplier isWanted) {
        lock.lock();
        try {
            while (!isClosed && (!isArmed || !isWanted.getAsBoolean())) {
                armed.awaitUninterruptibly();
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    private void signal(String queue) {
        lock.lock();
        try {
            signalled.add(queue);
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
            arrived.signal();
        } finally {
            lock.unlock();
        }
        parked.forEach(Parking::abort);
        rest.close();
    }
}
