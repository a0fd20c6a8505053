package dev.mawashi.settle;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.SettleReport;
import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settlement;
import dev.mawashi.broker.Settling;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Sends settlements to the broker by a `Loop`: while one round trip is under way the next ones
/// gather, and then they go together.
///
/// Slots add to `gathering` and never wait. The loop moves what is there to its `batch`, and owns
/// that until Redis has answered for all of it. While Redis is away the same settlements are sent
/// again and again; each is idempotent, so none can be applied twice. One that Redis refuses while
/// it takes others is set aside and tried again between the newer ones. A crash leaves the jobs in
/// the in-flight store, from where they are recovered and run again.
public final class Settler implements Service {
    /// How long the end may take beyond what `stop` has waited for.
    private static final Duration END_PATIENCE = Duration.ofSeconds(1);

    private final Settling settling;
    private final Listener listener;
    private final Outage outage;
    private final SetAside aside;
    private final Backoff backoff = new Backoff();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition settledMore = lock.newCondition();
    private final Loop loop =
            Loop.platform("settle", () -> sendNext() ? Duration.ZERO : Loop.OVER)
                    .wakingSteps(this::hurry)
                    .farewell(this::end);

    /// Guarded by `lock`, as are the next three.
    private final List<Settled> gathering = new ArrayList<>();

    private boolean isWaiting;

    /// How many it has taken out of `gathering`, and for how many of these it is done.
    private long sent;

    private long answered;

    /// What is being sent. The loop's.
    private final List<Settled> batch = new ArrayList<>();

    /// How many it gave up. The loop's.
    private int unsent;

    public Settler(Settling settling, Listener listener, Outage outage) {
        this.settling = settling;
        this.listener = listener;
        this.outage = outage;
        aside = new SetAside(listener, System::nanoTime);
    }

    @Override
    public void start() {
        loop.start();
    }

    /// Takes a settlement over; returns at once.
    public void settle(Lease lease, Settlement settlement) {
        settle(new Settled(lease, settlement));
    }

    public void settle(Settled settled) {
        lock.lock();
        try {
            gathering.add(settled);
            wake();
        } finally {
            lock.unlock();
        }
    }

    /// Takes over a job that arrived and is about to begin, and wakes nobody: it goes with the next
    /// one, or by `hurry`.
    public void arrived(Lease lease) {
        lock.lock();
        try {
            gathering.add(new Settled(lease, Settlement.ARRIVED));
        } finally {
            lock.unlock();
        }
    }

    /// Sends what has gathered, or ends the loop's wait when it is to stop.
    public void hurry() {
        lock.lock();
        try {
            wake();
        } finally {
            lock.unlock();
        }
    }

    /// Takes jobs over that succeeded.
    public void acknowledge(List<Lease> leases) {
        settleAll(leases, Settlement.ACK);
    }

    /// Takes jobs over that go back to their queue. They go in one round trip, since only then they
    /// keep their order.
    public void requeue(List<Lease> leases) {
        settleAll(leases, Settlement.REQUEUE);
    }

    private void settleAll(List<Lease> leases, Settlement settlement) {
        lock.lock();
        try {
            for (Lease lease : leases) {
                gathering.add(new Settled(lease, settlement));
            }
            wake();
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        if (isWaiting && (!gathering.isEmpty() || loop.isStopping())) {
            isWaiting = false;
            changed.signal();
        }
    }

    /// Whether there is memory for more settlements that Redis refuses. Without it no job should be
    /// claimed.
    public boolean hasRoom() {
        return !aside.isFull();
    }

    /// Waits for room, where there is none.
    ///
    /// @return false when that took longer than `patience`
    public boolean awaitRoom(Duration patience) {
        return hasRoom() || awaitAnswer(patience, this::hasRoom);
    }

    /// Waits until everything taken over so far is settled, whatever is added meanwhile, but for
    /// what Redis refuses while it takes the rest.
    ///
    /// @return false when that took longer than `patience`, or something is refused
    public boolean flush(Duration patience) {
        return awaitAnswers(patience) && aside.count() == 0;
    }

    /// Waits until Redis has taken or refused everything taken over so far.
    ///
    /// @return false when that took longer than `patience`
    public boolean awaitAnswers(Duration patience) {
        lock.lock();
        try {
            long wanted = sent + gathering.size();
            return awaitAnswer(patience, () -> answered >= wanted);
        } finally {
            lock.unlock();
        }
    }

    /// Waits until this is so, asking with the lock each time that Redis has answered.
    private boolean awaitAnswer(Duration patience, BooleanSupplier condition) {
        long left = patience.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = settledMore.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// Sends what has gathered or is due.
    ///
    /// @return false when there is none at the end
    private boolean sendNext() {
        if (!next()) {
            return false;
        }
        send(batch, true);
        batch.clear(); // At once: the payloads may be large.
        tryAgain();
        return true;
    }

    private void end() {
        while (sendNext()) {
            // What had gathered when it was to stop.
        }
        aside.hurry();
        while (tryAgain()) {
            // What Redis had refused.
        }
        int left = unsent + aside.count();
        if (left > 0) {
            listener.on(new Event.LeftInFlight(left));
        }
        settling.close();
    }

    /// Moves what has gathered to `batch`, which may be nothing when settlements set aside are due;
    /// false at the end.
    private boolean next() {
        lock.lock();
        try {
            answered = sent;
            settledMore.signalAll();
            while (gathering.isEmpty() && !aside.isDue()) {
                if (loop.isStopping()) {
                    return false;
                }
                isWaiting = true;
                try {
                    changed.awaitNanos(aside.nanosLeft());
                } catch (InterruptedException _) {
                    // Nobody interrupts this thread to any purpose, and it must not end.
                }
            }
            isWaiting = false;
            sent += gathering.size();
            batch.addAll(gathering);
            gathering.clear();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Sends until Redis has taken all or what it refuses is set aside.
    ///
    /// @param isFirst whether none of it may have been settled before
    /// @return false when it gave up
    private boolean send(List<Settled> all, boolean isFirst) {
        List<Settled> left = all;
        boolean isNew = isFirst;
        while (!left.isEmpty()) {
            try {
                SettleReport report = settling.settle(left);
                report(report, isNew);
                left = setAside(report.refused());
            } catch (RedisFailure failure) {
                outage.down(failure.reason());
                isNew = isNew && failure.kind() != RedisFailure.Kind.UNKNOWN;
            } catch (RuntimeException defect) {
                return split(left, defect);
            }
            if (!left.isEmpty()) {
                if (loop.isStopping()) {
                    unsent += left.size();
                    return false;
                }
                backoff.pause();
            }
        }
        return true;
    }

    /// Returns what is refused since Redis takes nothing at all now.
    private List<Settled> setAside(List<SettleReport.Refused> refused) {
        List<Settled> left = new ArrayList<>();
        for (SettleReport.Refused one : refused) {
            RedisFailure reason = one.reason();
            if (reason.isOfOneCommand()) {
                aside.add(one.settled(), reason);
            } else {
                left.add(one.settled());
                outage.down("Redis refuses to settle jobs: " + reason.reason());
            }
        }
        if (left.isEmpty()) {
            outage.up();
            backoff.reset();
        }
        return left;
    }

    /// Finds the one among them that cannot be sent.
    private boolean split(List<Settled> all, RuntimeException defect) {
        if (all.size() == 1) {
            aside.add(all.getFirst(), defect);
            return true;
        }
        boolean isAllSent = true;
        for (List<Settled> part : BatchParts.of(all)) {
            isAllSent = send(part, false) && isAllSent;
        }
        return isAllSent;
    }

    /// Tries some of those set aside, if any are due.
    ///
    /// @return whether there may be more to be tried
    private boolean tryAgain() {
        if (!aside.isDue()) {
            return false;
        }
        List<Settled> taken = aside.takeDue();
        boolean isAnswered = send(taken, true);
        if (isAnswered) {
            aside.answered(taken);
        } else {
            aside.release(taken);
        }
        return isAnswered;
    }

    /// After an attempt of unknown effect a job that is gone was most likely settled by it, so only
    /// a first attempt shows what is late.
    private void report(SettleReport report, boolean isFirst) {
        if (report.late() > 0 && isFirst) {
            listener.on(new Event.SettledLate(report.late()));
            report.lost()
                    .forEach(one -> listener.on(new Event.FailureLost(JobNames.of(one.lease()))));
        }
        if (report.trimmed() > 0) {
            listener.on(new Event.DeadSetTrimmed(report.trimmed()));
        }
    }

    /// Settles what was taken over, then ends. What is refused, or left when `patience` is over,
    /// stays in flight and is recovered by another process or the next start.
    @Override
    public void stop(Duration patience) {
        flush(patience);
        loop.stop(END_PATIENCE);
    }
}
