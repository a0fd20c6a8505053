package dev.mawashi.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Decides per queue whether this process's claims or its parker may take jobs out of the arrivals.
///
/// A parked connection's reply reports a job that is in the arrivals already. A claim that took it
/// from there meanwhile would have it run twice, so claims leave the arrivals alone while somebody
/// parks; and nobody parks while a claim is under way that looks at them. Where a job has arrived
/// and its parker has not heard of it yet, a claim takes nothing from the queue, or it would
/// overtake that job.
///
/// Where Redis knows no good lease of this process's nobody parks until it is renewed, so that no
/// more jobs come that nobody would recover. Safe for any thread.
final class ArrivalLists {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Look> looks = new ArrayList<>();

    /// For each queue where the arrivals are not the claims': `PARKED`, or the token of a job that
    /// runs and is not in flight in Redis yet.
    private final Map<String, Long> held = new HashMap<>();

    /// How many wait for the right to park, by queue.
    private final Map<String, Integer> waiting = new HashMap<>();

    /// Queues in whose arrivals a job may lie that no parker has heard of, or found a slot for.
    private final Set<String> doubtful = new HashSet<>();

    /// Queues where arrivals were given back without an answer: that may be done late.
    private final Set<String> lostGiveBacks = new HashSet<>();

    /// Queues where Redis knew no good lease when a job had arrived.
    private final Set<String> unleased = new HashSet<>();

    /// Whether a job that arrived was not in Redis any more.
    private boolean isMissing;

    private volatile Runnable onDoubt = () -> {};

    /// Somebody parks, and has not heard of a job.
    private static final Long PARKED = 0L;

    /// The lists that a claim under way may look at.
    ///
    /// @param marks for each queue in turn what `claim.lua` is to do with its arrivals: `f` take
    ///   from them, `p` take nothing from the queue if there are any, `b` leave them alone
    record Look(List<String> queues, String marks) {
        private boolean isAt(String queue) {
            int place = queues.indexOf(queue);
            return place >= 0 && marks.charAt(place) == 'f';
        }
    }

    /// Waits for the right to park. Claims that come meanwhile leave the arrivals alone, so that it
    /// does not wait for long.
    ///
    /// @return false when that took longer than `patience`
    boolean park(String queue, Duration patience) {
        long left = patience.toNanos();
        lock.lock();
        try {
            waiting.merge(queue, 1, Integer::sum);
            while (isTaken(queue)) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            held.put(queue, PARKED);
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting.computeIfPresent(queue, (_, count) -> count == 1 ? null : count - 1);
            lock.unlock();
        }
    }

    private boolean isTaken(String queue) {
        return held.containsKey(queue)
                || unleased.contains(queue)
                || looks.stream().anyMatch(look -> look.isAt(queue));
    }

    /// Whether a job may lie in the arrivals, asked by who has begun to park: nobody would hear of
    /// it.
    boolean isDoubtful(String queue) {
        lock.lock();
        try {
            return doubtful.contains(queue);
        } finally {
            lock.unlock();
        }
    }

    /// Notes that arrivals were given back and no answer came. Whoever parks gives them back again
    /// before, so that the lost one does nothing from then on.
    void giveBackLost(String queue) {
        change(() -> {
            lostGiveBacks.add(queue);
            doubtful.add(queue);
        });
    }

    /// Whether `giveBackLost` was noted and not `fenced` yet.
    boolean isGiveBackLost(String queue) {
        lock.lock();
        try {
            return lostGiveBacks.contains(queue);
        } finally {
            lock.unlock();
        }
    }

    /// Notes that what was lost does nothing any more.
    void fenced(String queue) {
        change(() -> lostGiveBacks.remove(queue));
    }

    /// Notes that the job which arrived is going to run, and that the settler sees to it.
    void begin(Lease lease) {
        change(() -> held.put(lease.queue(), lease.token()));
    }

    /// Whether a job runs that is not in flight yet.
    boolean isBegun(Lease lease) {
        lock.lock();
        try {
            return held.getOrDefault(lease.queue(), PARKED) == lease.token();
        } finally {
            lock.unlock();
        }
    }

    /// Leaves the arrivals to the claims again: nobody parks any more, or the job is in flight.
    ///
    /// @param isEmpty whether nothing is left there for sure
    void leave(String queue, boolean isEmpty) {
        change(() -> {
            held.remove(queue);
            if (isEmpty) {
                doubtful.remove(queue);
            } else {
                doubtful.add(queue);
            }
        });
    }

    /// Sets what is called, on any thread, at `unleased` and `missing`.
    void onDoubt(Runnable action) {
        onDoubt = action;
    }

    /// Notes that Redis knew no good lease on this queue. Nobody parks there until `leased`.
    void unleased(String queue) {
        change(() -> unleased.add(queue));
        onDoubt.run();
    }

    /// Notes that a job which arrived, and runs, was not in Redis any more: others have recovered
    /// it, or Redis has lost it.
    void missing() {
        change(() -> isMissing = true);
        onDoubt.run();
    }

    /// The queues of which `unleased` was noted.
    Set<String> unleased() {
        lock.lock();
        try {
            return Set.copyOf(unleased);
        } finally {
            lock.unlock();
        }
    }

    /// Notes that there is a good lease on these queues again.
    void leased(Collection<String> queues) {
        if (!queues.isEmpty()) {
            change(() -> unleased.removeAll(queues));
        }
    }

    /// Whether `missing` was noted since the last call.
    boolean takeMissing() {
        lock.lock();
        try {
            boolean wasMissing = isMissing;
            isMissing = false;
            return wasMissing;
        } finally {
            lock.unlock();
        }
    }

    /// Notes a claim, until `done`.
    Look look(List<String> queues) {
        lock.lock();
        try {
            StringBuilder marks = new StringBuilder(queues.size());
            for (String queue : queues) {
                Long holder = held.get(queue);
                marks.append(holder == null ? mark(queue) : holder.equals(PARKED) ? 'p' : 'b');
            }
            Look look = new Look(queues, marks.toString());
            looks.add(look);
            return look;
        } finally {
            lock.unlock();
        }
    }

    private char mark(String queue) {
        return waiting.containsKey(queue) ? 'b' : 'f';
    }

    /// Notes that a claim has been answered, or can take nothing any more.
    void done(Look look) {
        change(() -> looks.remove(look));
    }

    /// Notes that a claim can take nothing any more, but of some of its queues.
    ///
    /// @return what it may look at there, until `done`
    Look narrow(Look look, List<String> queues) {
        StringBuilder marks = new StringBuilder(queues.size());
        for (String queue : queues) {
            int place = look.queues().indexOf(queue);
            marks.append(place < 0 ? 'b' : look.marks().charAt(place));
        }
        Look narrow = new Look(queues, marks.toString());
        change(() -> {
            looks.remove(look);
            looks.add(narrow);
        });
        return narrow;
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
