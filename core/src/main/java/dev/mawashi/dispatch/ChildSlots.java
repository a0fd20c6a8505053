package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.broker.Settlement;
import dev.mawashi.children.Child;
import dev.mawashi.children.ChildEnd;
import dev.mawashi.children.ChildFailure;
import dev.mawashi.children.ChildListener;
import dev.mawashi.children.ChildPool;
import dev.mawashi.event.Event;
import dev.mawashi.job.Cut;
import dev.mawashi.job.GiveUp;
import dev.mawashi.job.GiveUpNotice;
import dev.mawashi.job.Outcome;
import dev.mawashi.settle.JobNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Slots in Ruby processes, several a process.
///
/// A child that dies takes with it what it ran. A job that ran there alone failed by that; of
/// several it is not known whose fault it was: they run again, and one that is in hand at a second
/// crash runs alone from then on.
final class ChildSlots implements Slots, ChildPool.User {
    /// By which a job fails whose process ended before it did; `mawashi/lost_jobs.rb` has it.
    static final String CHILD_DIED = "Mawashi::ChildDied";

    private static final int CRASHES_BEFORE_ALONE = 2;
    private static final Duration RECALL_PATIENCE = Duration.ofSeconds(1);

    /// How long a job whose child died waits for another child to tell the app of its end.
    private static final Duration ASK_PATIENCE = Duration.ofSeconds(10);

    private static final long LOOK_NANOS = Duration.ofMillis(2).toNanos();

    private final ChildPool pool;
    private final RunParts parts;
    private final LeaseBuffer buffer;
    private final Counters counters;
    private final Nap nap;
    private final AtomicLong lastId = new AtomicLong();
    private final Decisions decisions = new Decisions();
    private final List<ChildFeed> feeds = new CopyOnWriteArrayList<>();
    private final AloneChildren suspects = new AloneChildren(this::runAlone);
    private final IdentityHashMap<Lease, Integer> crashes = new IdentityHashMap<>();
    private volatile boolean hasCrashes;
    private volatile boolean isRecalled;

    ChildSlots(ChildPool pool, RunParts parts, LeaseBuffer buffer, Counters counters, Nap nap) {
        this.pool = pool;
        this.parts = parts;
        this.buffer = buffer;
        this.counters = counters;
        this.nap = nap;
    }

    @Override
    public void start() {
        pool.start(this);
    }

    /// Jobs that each child runs at once.
    int threads() {
        return pool.threads();
    }

    long nextId() {
        return lastId.incrementAndGet();
    }

    /// Has a child run jobs that its feed holds already.
    ///
    /// @param until when it may begin them
    void run(Child child, List<Child.Job> jobs, long until) {
        nap.end();
        child.run(jobs, until);
    }

    @Override
    public ChildListener listener(int number) {
        return new ChildFeed(this, parts, buffer, counters);
    }

    @Override
    public void ready(Child child, ChildListener listener) {
        ChildFeed feed = (ChildFeed) listener;
        feed.open(child);
        feeds.add(feed);
        if (feed.isLost()) {
            feeds.remove(feed);
            return;
        }
        Thread.ofPlatform()
                .name("mawashi-feed-" + (child.number() + 1))
                .daemon()
                .start(() -> feed.feed(child));
    }

    @Override
    public void leave(Child child, ChildListener listener, String why) {
        parts.listener().on(new Event.ChildRecycled(child.pid(), why));
        ((ChildFeed) listener).leave();
    }

    /// Jobs that no child has begun run elsewhere.
    void giveBack(List<Lease> unbegun) {
        if (!putBack(unbegun)) {
            parts.settler().requeue(unbegun);
        }
    }

    /// Not after the last look into the buffer, or they would lie there until the process ends and
    /// go back only after what runs now.
    private synchronized boolean putBack(List<Lease> unbegun) {
        if (!isRecalled) {
            buffer.putBack(unbegun);
        }
        return !isRecalled;
    }

    private synchronized void endRecall() {
        isRecalled = true;
    }

    /// Runs a job in a child of its own: should that die, it is this job's fault.
    private void runAlone(Lease suspect) {
        ChildFeed feed = new ChildFeed(this, parts, buffer, counters);
        try {
            Child child = pool.forkAlone(feed);
            parts.listener().on(new Event.SuspectRuns(JobNames.of(suspect), 0));
            feeds.add(feed);
            feed.runAlone(child, suspect);
        } catch (ChildFailure failure) {
            parts.listener().on(new Event.Defect("child for a suspect", failure));
            giveBack(List.of(suspect));
        } finally {
            feeds.remove(feed);
        }
    }

    /// A child died while it ran these.
    void crashed(ChildFeed dead, List<Lease> running, ChildEnd end) {
        feeds.remove(dead);
        if (running.size() == 1 && isToBlame(running.getFirst(), end)) {
            Lease lease = running.getFirst();
            Outcome outcome = new Outcome.Failed(CHILD_DIED, end.describe(), List.of());
            decideDead(lease, outcome);
            return;
        }
        List<Lease> again = new ArrayList<>();
        for (Lease lease : running) {
            if (count(lease) < CRASHES_BEFORE_ALONE || !suspects.add(lease)) {
                again.add(lease);
            }
        }
        giveBack(again);
    }

    /// A parent's end takes all its children along. Who was to blame for it is only clear when it
    /// happens again and again.
    private boolean isToBlame(Lease lease, ChildEnd end) {
        synchronized (crashes) {
            return end.isKnown() || crashes.getOrDefault(lease, 0) >= CRASHES_BEFORE_ALONE;
        }
    }

    /// Ends a job that did not let itself be asked.
    ///
    /// @param isFirst the first time for this job; where it has a process of its own, the child
    ///   itself is spared then
    void kill(Child child, long id, boolean isFirst) {
        if (pool.isForking() && isFirst) {
            child.kill(id);
        } else {
            pool.kill(child);
        }
    }

    /// A child was killed while it ran these, since some of them did not end; the others did
    /// nothing wrong.
    void killed(ChildFeed dead, List<Lease> running, IdentityHashMap<Lease, Cut> late) {
        feeds.remove(dead);
        List<Lease> again = new ArrayList<>();
        for (Lease lease : running) {
            Cut cut = late.get(lease);
            if (cut == null) {
                again.add(lease);
            } else {
                decideDead(lease, cut.outcome());
            }
        }
        giveBack(again);
    }

    private int count(Lease lease) {
        synchronized (crashes) {
            hasCrashes = true;
            return crashes.merge(lease, 1, Integer::sum);
        }
    }

    /// They have ended, so that their crashes count no more.
    void forget(List<Lease> ended) {
        if (hasCrashes) {
            synchronized (crashes) {
                ended.forEach(crashes::remove);
                hasCrashes = !crashes.isEmpty();
            }
        }
    }

    /// Waits for one when all are dead; null when none comes.
    private @Nullable Child livingChild() {
        await(ASK_PATIENCE, () -> !feeds.isEmpty());
        return feeds.stream().findFirst().map(ChildFeed::child).orElse(null);
    }

    /// A run that did not succeed.
    ///
    /// @param id under which the child knows it; a new one when its child is gone
    /// @param isSeen whether the app's own process saw it end
    record Ended(long id, long nanos, Lease lease, Outcome outcome, boolean isSeen) {}

    /// A fork that died, of which its forker tells.
    static boolean isDeath(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed && failed.errorClass().equals(CHILD_DIED);
    }

    /// Has such a run settled, on a thread of its own: the app is asked through a child's link, and
    /// its answer comes by the thread that calls this.
    ///
    /// @param child gives the one that is asked, if need be, for what the app wants done
    /// @param onEnd called when it is handed to the settler
    void decide(Ended run, Supplier<@Nullable Child> child, Runnable onEnd) {
        decisions.make(() -> {
            try {
                settle(run, child);
            } finally {
                onEnd.run();
            }
        });
    }

    /// The same of a run whose child is gone, so that another is asked.
    private void decideDead(Lease lease, Outcome outcome) {
        decide(new Ended(nextId(), 0, lease, outcome, false), this::livingChild, () -> {});
    }

    @Override
    public void tell(LateNews news) {
        decisions.make(() -> news.tell(notice(nextId(), false, this::livingChild)));
    }

    private void settle(Ended run, Supplier<@Nullable Child> child) {
        Outcome outcome = parts.cancelled().judge(run.lease(), run.outcome());
        Settlement settlement =
                parts.policy().decide(run.lease(), outcome, notice(run.id(), run.isSeen(), child));
        parts.settler().settle(run.lease(), settlement);
        parts.cancelled().settled(run.lease(), outcome);
        forget(List.of(run.lease()));
        counters.ended(run.nanos(), outcome);
    }

    private static GiveUpNotice notice(long id, boolean isSeen, Supplier<@Nullable Child> child) {
        return new GiveUpNotice() {
            @Override
            public boolean giveUp(byte[] payload, GiveUp reason) {
                Child asked = child.get();
                return asked != null && asked.giveUp(id, payload, reason);
            }

            @Override
            public boolean failed(byte[] payload) {
                Child asked = isSeen ? null : child.get();
                if (asked != null) {
                    asked.failed(id, payload);
                }
                return !isSeen;
            }
        };
    }

    @Override
    public void recall() {
        feeds.forEach(ChildFeed::recall);
        await(RECALL_PATIENCE, () -> all(ChildFeed::isRecalled));
        buffer.putBack(suspects.close());
        endRecall();
    }

    @Override
    public void awaitEnd(Duration patience) {
        await(patience, this::haveEnded);
    }

    static void await(Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public boolean haveEnded() {
        return buffer.isClosed() && decisions.areMade() && all(feed -> !feed.isBusy());
    }

    private boolean all(Predicate<ChildFeed> condition) {
        for (ChildFeed feed : feeds) {
            if (!condition.test(feed)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<Running> running() {
        return feeds.stream().flatMap(feed -> feed.running().stream()).toList();
    }

    @Override
    public void reconsider() {
        feeds.forEach(ChildFeed::reconsider);
    }

    @Override
    public void cut(Lease lease, Cut cut) {
        feeds.forEach(feed -> feed.cut(lease, cut));
    }

    @Override
    public void end(Lease lease, Cut cut) {
        feeds.forEach(feed -> feed.end(lease, cut));
    }

    @Override
    public List<Lease> takeAway() {
        List<Lease> all = new ArrayList<>();
        feeds.forEach(feed -> all.addAll(feed.takeAway()));
        // In the order of claiming, in which they go back to their queue.
        all.sort(Comparator.comparingLong(Lease::token));
        return all;
    }

    @Override
    public void interrupt() {
        feeds.forEach(ChildFeed::interrupt);
    }
}
