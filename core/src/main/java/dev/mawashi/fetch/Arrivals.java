package dev.mawashi.fetch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.Parking;
import dev.mawashi.broker.Watching;
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
import org.jspecify.annotations.Nullable;

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
/// The rest are looked at by one thread, which is armed as the parkers are. It takes nothing: a job
/// in any of them only ends the wait, here and in every other process that watches its queue. What
/// changes while no slot is idle is looked at once when one is.
final class Arrivals implements AutoCloseable {
    /// Most parked connections.
    static final int PARKED_MAX = 32;

    /// The claimer looks for itself that often, though nothing should ever be left for it.
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final Duration PARK = Duration.ofSeconds(10);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /// Longest time between two looks at the rest: a watch whose connection is cut is told of
    /// nothing until it looks.
    private static final Duration LOOK_MAX = Duration.ofSeconds(5);

    /// Shortest time between two looks at the rest, or many idle processes would do nothing but
    /// look when one of these queues is busy.
    private static final long LOOK_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition armed = lock.newCondition();
    private final Condition arrived = lock.newCondition();
    private final List<Parking> parked = new ArrayList<>();
    private final Set<String> signalled = new HashSet<>();
    private final OpenQueues queues;
    private final Runnable onArrival;
    private final @Nullable Watching rest;
    private boolean isArmed;
    private boolean isWoken;
    private boolean isClosed;

    /// @param onArrival called on a parker's thread after each arrival
    Arrivals(Broker broker, OpenQueues queues, Runnable onArrival) {
        this.queues = queues;
        this.onArrival = onArrival;
        List<String> names = queues.names();
        int parkers = Math.min(PARKED_MAX, names.size());
        for (String queue : names.subList(0, parkers)) {
            Parking parking = broker.parking();
            parked.add(parking);
            // No virtual thread: it would be woken by way of two others, which takes 0.3 ms.
            Thread.ofPlatform()
                    .daemon()
                    .name("mawashi-park-" + parked.size())
                    .start(() -> park(parking, queue));
        }
        rest = parkers < names.size() ? broker.watching() : null;
        if (rest != null) {
            Watching watching = rest;
            List<String> watched = names.subList(parkers, names.size());
            Thread.ofPlatform()
                    .daemon()
                    .name("mawashi-rest-1")
                    .start(() -> watch(watching, watched));
        }
    }

    /// Waits until a job arrived in any queue, the wait is over, or this is closed.
    void await() {
        long left = WAIT_MAX.toNanos();
        lock.lock();
        try {
            isArmed = signalled.isEmpty() && !isClosed && !isWoken;
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
        endWait();
        if (rest != null) {
            // Other queues may be paused than when it looked.
            rest.wake();
        }
    }

    private void endWait() {
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

    private void watch(Watching watching, List<String> watched) {
        while (awaitArmed(() -> true)) {
            long looked = System.nanoTime();
            try {
                if (watching.awaitJob(queues.open(watched), LOOK_MAX)) {
                    endWait();
                }
            } catch (RedisFailure _) {
                // As with the parkers: the claimer's script looks at them, at this pace.
                endWait();
                LockSupport.parkNanos(RETRY_NANOS);
            }
            LockSupport.parkNanos(looked + LOOK_MIN_NANOS - System.nanoTime());
        }
        watching.close();
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
        if (rest != null) {
            rest.wake();
        }
    }
}
