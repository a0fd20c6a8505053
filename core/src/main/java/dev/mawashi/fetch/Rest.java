package dev.mawashi.fetch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.LeasedQueues;
import dev.mawashi.broker.Watching;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The queues of a capsule that nobody parks at: which of them may hold a job.
///
/// A `Loop` looks at all of them once, and from then on hears of each that changes. A queue that
/// changed is `full`, and claims name it. Once a claim that named it brought less than it asked for
/// it is `doubted`, and looked at again: it is full, or empty and reported. So neither a claim nor
/// an idle process is any slower for queues that are empty.
///
/// What is looked at is bounded: some at a time, with a pause. That goes on, slowly, while all is
/// quiet, since a connection that is cut reports nothing.
///
/// What is known is guarded by `lock`: the thread of this and the claimer's write it.
final class Rest implements AutoCloseable {
    /// Most of these queues that one claim names: to find them all empty holds Redis for 0.1 ms.
    static final int NAMED_MAX = 128;

    /// Most queues looked at together.
    private static final int LOOKED_MAX = 1_000;

    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /// How often to look at some while Redis reports no changes.
    private static final Duration POLL_EVERY = Duration.ofMillis(50);

    /// Shortest time between two looks, or many idle processes would do nothing but look when one
    /// of these queues is busy.
    private static final long LOOK_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final Duration RETRY = Duration.ofMillis(250);

    private final ReentrantLock lock = new ReentrantLock();
    private final Broker broker;
    private final Pauses pauses;
    private final LeasedQueues leased;
    private final Runnable onWork;

    private final RestPlaces known = new RestPlaces();
    private final Loop loop =
            Loop.platform("rest", this::step).wakingSteps(this::wake).farewell(this::end);
    private LeasedQueues.Claimer claimer;

    /// Null until there are any; then the loop starts.
    private volatile @Nullable Watching watching;

    private int nextDue;
    private int nextSwept;
    private long sweptNanos = System.nanoTime();
    private boolean isClosed;

    /// Of no queues yet.
    ///
    /// @param leased which of them may be claimed from
    /// @param onWork called, on any thread, when one of them may hold a job and may be claimed from
    Rest(Broker broker, Pauses pauses, LeasedQueues leased, Runnable onWork) {
        this.broker = broker;
        this.pauses = pauses;
        this.leased = leased;
        this.onWork = onWork;
        claimer = new LeasedQueues.Claimer(Set.of(), onWork);
    }

    /// Is of these queues from now on. What is known of those that it was of before still holds;
    /// the others are looked at.
    void follow(List<String> now) {
        lock.lock();
        try {
            if (!isClosed && !now.equals(known.names())) {
                known.follow(now);
                nextSwept = Math.min(nextSwept, now.size());
                join();
            }
        } finally {
            lock.unlock();
        }
        wake();
    }

    private void wake() {
        Watching opened = watching;
        if (opened != null) {
            opened.wake();
        }
    }

    private void join() {
        LeasedQueues.Claimer before = claimer;
        claimer = new LeasedQueues.Claimer(Set.copyOf(known.names()), onWork);
        leased.join(claimer);
        leased.forget(before);
        if (watching == null) {
            watching = broker.watching();
            loop.start();
        }
    }

    boolean isEmpty() {
        return known.names().isEmpty();
    }

    boolean contains(String queue) {
        return known.places().containsKey(queue);
    }

    /// Those that may hold a job and are not paused, in the order given.
    List<String> full(Set<String> paused) {
        if (isEmpty()) {
            return known.names();
        }
        lock.lock();
        try {
            // With few it costs nothing to claim from one that was just seen empty.
            boolean areMany = known.full.cardinality() > NAMED_MAX;
            return known.named(areMany ? known.undoubted() : known.full, paused);
        } finally {
            lock.unlock();
        }
    }

    /// A claim that named these brought less than it asked for, so they should be empty now.
    void doubt(List<String> named) {
        if (watching == null) {
            return;
        }
        boolean isNews = false;
        lock.lock();
        try {
            for (String name : named) {
                Integer place = known.places().get(name);
                if (place != null && known.full.get(place) && !known.doubted.get(place)) {
                    known.doubted.set(place);
                    known.due.set(place);
                    isNews = true;
                }
            }
        } finally {
            lock.unlock();
        }
        if (isNews) {
            wake();
        }
    }

    /// Whether a claim is worth while: one that may be claimed from may hold a job, and none has
    /// been seen empty since.
    boolean hasWork() {
        if (isEmpty()) {
            return false;
        }
        Set<String> paused = pauses.queues();
        lock.lock();
        try {
            BitSet some = known.undoubted();
            for (int place = some.nextSetBit(0); place >= 0; place = some.nextSetBit(place + 1)) {
                String name = known.names().get(place);
                if (!paused.contains(name) && leased.use(name)) {
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private Duration step() {
        Watching opened = Objects.requireNonNull(watching);
        long began = System.nanoTime();
        List<String> some = takeDue();
        try {
            if (!some.isEmpty()) {
                looked(some, opened.holding(some));
            }
            Duration wait = opened.isTold() ? LOOK_EVERY : POLL_EVERY;
            note(opened.awaitChanges(hasDue() ? Duration.ZERO : wait));
            sweep(wait);
        } catch (RedisFailure failure) {
            failed(some, failure);
            return RETRY;
        }
        return Duration.ofNanos(Math.max(0, began + LOOK_MIN_NANOS - System.nanoTime()));
    }

    private void end() {
        Objects.requireNonNull(watching).close();
    }

    /// The next ones to be looked at, round and round, so that none has to wait for others that are
    /// to be looked at again and again.
    private List<String> takeDue() {
        lock.lock();
        try {
            List<String> some = new ArrayList<>();
            int left = Math.min(LOOKED_MAX, known.due.cardinality());
            while (some.size() < left) {
                int place = known.due.nextSetBit(nextDue);
                if (place < 0) {
                    nextDue = 0;
                } else {
                    known.due.clear(place);
                    some.add(known.names().get(place));
                    nextDue = place + 1;
                }
            }
            return some;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasDue() {
        lock.lock();
        try {
            return !known.due.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Changes since the look come after this, by `note`.
    private void looked(List<String> some, Set<String> holding) {
        lock.lock();
        try {
            for (String name : some) {
                Integer place = known.places().get(name);
                if (place != null) {
                    known.full.set(place, holding.contains(name));
                    known.doubted.clear(place);
                }
            }
        } finally {
            lock.unlock();
        }
        wakeFor(holding);
    }

    private void note(Watching.Changes changes) {
        lock.lock();
        try {
            if (changes.areUnknown()) {
                known.due.set(0, known.names().size());
            }
            for (String name : changes.queues()) {
                Integer place = known.places().get(name);
                if (place != null) {
                    known.full.set(place);
                    known.doubted.clear(place);
                }
            }
        } finally {
            lock.unlock();
        }
        wakeFor(changes.queues());
    }

    /// One without a lease is reported when it has one.
    private void wakeFor(Set<String> some) {
        Set<String> paused = pauses.queues();
        boolean isWork = false;
        for (String name : some) {
            isWork |= contains(name) && !paused.contains(name) && leased.use(name);
        }
        if (isWork) {
            onWork.run();
        }
    }

    private void sweep(Duration every) {
        long now = System.nanoTime();
        if (now - sweptNanos >= every.toNanos()) {
            sweptNanos = now;
            lock.lock();
            try {
                int end = Math.min(known.names().size(), nextSwept + LOOKED_MAX);
                known.due.set(nextSwept, end);
                nextSwept = end == known.names().size() ? 0 : end;
            } finally {
                lock.unlock();
            }
        }
    }

    /// While Redis is away the claimer meets the same failure and reports it. Where this user may
    /// not look, the claimer's script looks at some of them, at this pace.
    private void failed(List<String> some, RedisFailure failure) {
        boolean mayLook = failure.kind() != RedisFailure.Kind.REFUSED;
        lock.lock();
        try {
            int claimed = 0;
            for (String name : some) {
                Integer place = known.places().get(name);
                if (place == null) {
                    continue;
                }
                if (mayLook || claimed++ >= NAMED_MAX) {
                    known.due.set(place);
                } else {
                    known.full.set(place);
                    known.doubted.clear(place);
                }
            }
        } finally {
            lock.unlock();
        }
        if (!mayLook) {
            onWork.run();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            leased.forget(claimer);
        } finally {
            lock.unlock();
        }
        loop.stop(Duration.ZERO);
    }
}
