package dev.mawashi.fetch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Parking;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Waits for work in several queues without polling: a parked connection for each of the first
/// queues, and one that watches all the rest.
///
/// A parker waits until it is armed, then in Redis until a job comes. It is armed only while a slot
/// is idle, and hands the job to one at once. A job can still come to it after another queue's job
/// took the last idle slot; the claimer then finds the queue among `signalled` and claims the job
/// or gives it back, so that another process wakes for it. Should this process die in between, the
/// job is in the arrivals of its owner, which are recovered with what the owner has in flight.
///
/// A paused queue's parker does not park. One that is parked already stays so until its wait is
/// over; a job that comes to it meanwhile is given back by the claimer, as above, and since nobody
/// parks for it again it stays in the queue.
///
/// When other queues are to be served, those that stay keep their parkers as they are. One whose
/// queue is gone is cut off, and says that there is something to give back: a job may have come to
/// it by then.
///
/// The rest are watched, and nothing is taken from them: a job in any of them only ends the wait,
/// here and in every other process that watches its queue.
final class Arrivals implements AutoCloseable {
    /// Most parked connections.
    static final int PARKED_MAX = 32;

    /// The claimer looks for itself that often, though nothing should ever be left for it.
    private static final Duration WAIT_MAX = Duration.ofSeconds(60);

    private static final Duration PARK = Duration.ofSeconds(10);

    /// A wait that would be shorter is not worth it.
    private static final Duration PARK_MIN = Duration.ofMillis(10);

    /// By how much a job that begins is ahead of all that is to be done about it. Two threads and
    /// Redis would otherwise take the cores that it needs to begin.
    private static final long HEAD_START_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition armed = lock.newCondition();
    private final Condition arrived = lock.newCondition();

    /// By queue; under the lock.
    private final Map<String, Parker> parkers = new HashMap<>();

    private final Set<String> signalled = new HashSet<>();
    private final Broker broker;
    private final Pauses pauses;
    private final Epoch epoch;
    private final Receiver receiver;
    private final Rest rest;
    private boolean isArmed;
    private boolean isWoken;
    private volatile boolean hasBegun;
    private boolean isClosed;
    private int opened;

    Arrivals(Broker broker, OpenQueues queues, Epoch epoch, Receiver receiver) {
        this.broker = broker;
        this.pauses = queues.pauses();
        this.epoch = epoch;
        this.receiver = receiver;
        rest = new Rest(broker, pauses, epoch.leased(), this::wake);
        follow(queues.order());
    }

    /// Waits in these queues from now on. The claimer's thread calls it.
    void follow(QueueOrder order) {
        List<Parker> gone = new ArrayList<>();
        lock.lock();
        try {
            if (isClosed) {
                return;
            }
            Set<String> wanted = Set.copyOf(order.parked());
            for (Parker parker : parkers.values()) {
                parker.isGone = !wanted.contains(parker.queue);
                if (parker.isGone) {
                    gone.add(parker);
                }
            }
            gone.forEach(parker -> parkers.remove(parker.queue));
            armed.signalAll();
            order.parked().forEach(queue -> parkers.computeIfAbsent(queue, this::open));
        } finally {
            lock.unlock();
        }
        gone.forEach(parker -> parker.parking.abort());
        rest.follow(order.rest());
    }

    private Parker open(String queue) {
        Parker parker = new Parker(queue, broker.parking());
        opened++;
        // No virtual thread: it would be woken by way of two others, which takes 0.3 ms.
        parker.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("mawashi-park-" + opened)
                        .start(() -> park(parker));
        return parker;
    }

    /// The queues that nobody parks at.
    Rest rest() {
        return rest;
    }

    /// Waits until a job arrived in any queue, the wait is over, or this is closed.
    void await() {
        await(WAIT_MAX);
    }

    /// The same, for at most so long.
    void await(Duration most) {
        long left = most.toNanos();
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

    /// Whether a job that arrived has begun since `forgetBegun`. There may be more where it came
    /// from.
    boolean hasBegun() {
        return hasBegun;
    }

    /// Forgets that: the next claim looks.
    void forgetBegun() {
        hasBegun = false;
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

    private void park(Parker parker) {
        Parking parking = parker.parking;
        String queue = parker.queue;
        String owner = epoch.owner();
        while (awaitArmed(parker)) {
            try {
                owner = present(parking, queue, owner);
                Duration wait = leased(PARK);
                if (wait.compareTo(PARK_MIN) < 0) {
                    LockSupport.parkNanos(RETRY_NANOS);
                } else {
                    parkOnce(parker, owner, wait);
                }
            } catch (RedisFailure _) {
                // The claimer meets the same failure and reports it. A full server refuses to
                // park; the claimer's own script still drains the queue, at this pace.
                signal(queue);
                if (!parker.isGone) {
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        }
        parking.close();
    }

    /// A method of its own: until it is armed again no frame of this thread holds the job.
    private void parkOnce(Parker parker, String owner, Duration wait) {
        switch (parker.parking.awaitArrival(parker.queue, owner, wait)) {
            case Parking.Arrival.Job job -> arrived(parker, job);
            case Parking.Arrival.Large _ -> signal(parker.queue);
            case Parking.Arrival.None _ -> {}
        }
    }

    /// The owner that this process is now. What came for the one that it was before, others may
    /// have recovered before it came.
    private String present(Parking parking, String queue, String before) {
        String owner = epoch.owner();
        if (!owner.equals(before)) {
            parking.giveBack(queue, before);
        }
        return owner;
    }

    /// As much of a wait as ends before the lease.
    private Duration leased(Duration wait) {
        long left = epoch.leasedUntil() - System.nanoTime();
        return Duration.ofNanos(Math.min(wait.toNanos(), left));
    }

    private void arrived(Parker parker, Parking.Arrival.Job job) {
        Parking parking = parker.parking;
        Lease lease = job.lease();
        if (!lease.owner().equals(epoch.owner())) {
            parking.leave(job);
            parking.giveBack(lease.queue(), lease.owner());
        } else if (!parker.isGone
                && !pauses.queues().contains(lease.queue())
                && receiver.begin(lease, () -> parking.begin(job))) {
            hasBegun = true;
            LockSupport.parkNanos(HEAD_START_NANOS);
            wake();
            receiver.arrived();
        } else {
            parking.leave(job);
            signal(lease.queue());
        }
    }

    /// Whether it is to park now, and not to end.
    private boolean awaitArmed(Parker parker) {
        lock.lock();
        try {
            while (!parker.isGone && (!isArmed || pauses.queues().contains(parker.queue))) {
                armed.awaitUninterruptibly();
            }
            return !parker.isGone;
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
        receiver.arrived();
    }

    /// Waits until nobody parks any more, once this is closed: until then Redis may take a job out
    /// of its queue for one whose connection is on its way out.
    ///
    /// @param most for all of them
    void awaitEnd(Duration most) {
        long end = System.nanoTime() + most.toNanos();
        parkers.values().forEach(parker -> parker.awaitEnd(end));
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            parkers.values().forEach(parker -> parker.isGone = true);
            isArmed = false;
            armed.signalAll();
            arrived.signal();
        } finally {
            lock.unlock();
        }
        // Nothing follows any more, so they are read without the lock.
        parkers.values().forEach(parker -> parker.parking.abort());
        rest.close();
    }
}
