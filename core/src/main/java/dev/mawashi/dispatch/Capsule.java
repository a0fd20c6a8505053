package dev.mawashi.dispatch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.Fetcher;
import dev.mawashi.fetch.OpenQueues;
import dev.mawashi.fetch.Pauses;
import dev.mawashi.fetch.Prefetch;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.settle.SettlePolicy;
import dev.mawashi.settle.Settler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A pool of slots with its queues: one claimer thread, a buffer, n slot threads.
///
/// Stopping: the claimer ends first and gives back what no slot has started; running jobs get the
/// stop's patience; what still runs then goes back to the head of its queue before its thread is
/// interrupted, so that it is never lost and, unless it ends in that instant, never settled twice.
public final class Capsule implements Service {
    /// How long interrupted jobs may take to run their `ensure` blocks.
    private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(3);

    /// How often a capsule is looked at for which others claim more than it can run.
    private static final Duration FULL_LOOK = Duration.ofMillis(1);

    /// How often a job that runs alone is looked at for whether it is stuck.
    private static final Duration ALONE_LOOK = Duration.ofSeconds(1);

    private final CapsuleSettings settings;
    private final Parts parts;
    private final LeaseBuffer buffer = new LeaseBuffer();
    private final Counters counters = new Counters();
    private final Backoff backoff = new Backoff();
    private final Leftovers leftovers;
    private final Returns returns;
    private final ClaimReport report;
    private final Slots slots;
    private final LimitWatch limits;
    private volatile QueueOrder order;
    private volatile boolean isServing;
    private volatile @Nullable Fetcher fetcher;
    private volatile @Nullable Thread claimer;
    private boolean hasLed;
    private volatile int offered;
    private volatile boolean isQuiet;
    private volatile boolean isAlone;

    /// What a capsule works with.
    ///
    /// @param routes the same for all capsules of a process, as are the pauses
    /// @param tallies what counts the runs by class, the same for all capsules
    /// @param cancelled the same for all capsules
    public record Parts(
            Broker broker,
            SettlePolicy policy,
            Settler settler,
            Epoch epoch,
            Listener listener,
            Outage outage,
            Routes routes,
            RunTallies tallies,
            Pauses pauses,
            Cancelled cancelled) {}

    /// @param execution by what its jobs are run
    public Capsule(CapsuleSettings settings, Execution execution, Parts parts) {
        this.settings = settings;
        order = settings.queues();
        isServing = !order.names().isEmpty();
        this.parts = parts;
        this.leftovers = new Leftovers(parts.outage(), backoff);
        this.report = new ClaimReport(parts.listener());
        this.returns = new Returns(parts.settler(), () -> isQuiet);
        Nap nap = new Nap();
        this.slots = Slots.of(execution, settings, parts, buffer, counters, nap);
        this.limits = new LimitWatch(slots, nap, parts, settings);
    }

    @Override
    public void start() {
        slots.start();
        limits.start();
        @Nullable Fetcher opened = isServing ? open() : null;
        claimer = claimer(opened == null ? this::waitUntilQuiet : () -> claimUntilQuiet(opened));
    }

    /// Starts its slots alone: it claims nothing, what runs here comes by `runAlone`.
    public void startAlone() {
        slots.start();
        limits.start();
        isAlone = true;
    }

    /// Runs a job in a process in which nothing else runs, however long it takes. Returns early
    /// when this is quiet or the job is stuck.
    void runAlone(Lease lease) {
        buffer.add(List.of(lease));
        while (!isQuiet
                && slots.stuck().threads() == 0
                && !buffer.awaitAllIdle(settings.slots(), ALONE_LOOK)) {
            // Until its run ends a crash counts against it alone, so nothing may run beside it.
        }
    }

    private Fetcher open() {
        Fetcher opened =
                new Fetcher(
                        parts.broker(),
                        new OpenQueues(order, parts.pauses()),
                        parts.epoch(),
                        this::onArrival);
        fetcher = opened;
        return opened;
    }

    /// What arrived for a fetcher that was just closed is the next one's to claim.
    private void onArrival() {
        buffer.poke();
        Fetcher present = fetcher;
        if (present != null && !present.hasArrival()) {
            present.wake();
        }
    }

    private Thread claimer(Runnable work) {
        return Thread.ofPlatform().name(settings.threadName("claim") + 1).daemon().start(work);
    }

    /// Other capsules claim for it.
    private void waitUntilQuiet() {
        Prefetch prefetch = new Prefetch(settings.slots());
        while (!isQuiet) {
            List<Lease> stale = buffer.awaitStale();
            prefetch.learn(counters.ended(), counters.nanos());
            if (!stale.isEmpty()) {
                prefetch.distrust();
                returns.giveBack(stale);
            }
            offered = prefetch.jobs();
        }
        slots.recall();
        returns.giveBack(buffer.drain());
    }

    /// Takes a job that another capsule has claimed.
    ///
    /// @return false when it takes none any more
    boolean offer(Lease lease) {
        return buffer.offer(lease);
    }

    /// How many more jobs it takes from others now: more would only be leased for longer.
    int room() {
        return buffer.room(offered);
    }

    /// Tells the app of a job that is settled.
    void tell(LateNews news) {
        slots.tell(news);
    }

    /// The fetcher itself, or, when other queues are to be served, one that takes its place.
    private Fetcher following(Fetcher opened) {
        if (opened.order().equals(order)) {
            return opened;
        }
        leftovers.giveBack(opened);
        opened.close();
        return open();
    }

    private void claimUntilQuiet(Fetcher first) {
        Fetcher opened = first;
        Prefetch prefetch = new Prefetch(settings.slots());
        while (!isQuiet) {
            if (!opened.hasAsked()) {
                if (!parts.settler().awaitRoom() || parts.routes().room() <= 0) {
                    LockSupport.parkNanos(FULL_LOOK.toNanos());
                    continue;
                }
                opened = following(opened);
            }
            prefetch.learn(counters.ended(), counters.nanos());
            LeaseBuffer.Need need = need(opened, prefetch.jobs());
            if (!need.stale().isEmpty()) {
                prefetch.distrust();
                returns.giveBackFirst(need.stale());
                parts.listener().on(new Event.PrefetchReturned(need.stale().size()));
            }
            try {
                int room = room(need);
                if (room > 0 || opened.hasAsked()) {
                    claim(opened, room);
                } else if (opened.hasArrival()) {
                    opened.giveBack();
                }
            } catch (RedisFailure failure) {
                if (!isQuiet) {
                    parts.outage().down(failure.reason());
                    backoff.pause();
                }
            } catch (RuntimeException defect) {
                parts.listener().on(new Event.Defect("claim", defect));
                backoff.pause();
            }
        }
        slots.recall();
        leftovers.collect(opened, buffer);
        // Here and not in `quiet`, since a claim was perhaps under way: what it brought is newer
        // and must go back together with what waited before.
        returns.giveBack(buffer.drain());
        leftovers.giveBack(opened);
        opened.close();
    }

    /// After a claim that found less than it wanted, only an idle slot is worth another. While one
    /// is under way nothing is waited for but its answer.
    private LeaseBuffer.Need need(Fetcher opened, int prefetch) {
        if (!opened.hasAsked()) {
            return buffer.awaitNeed(opened.isDrained() ? 0 : prefetch);
        }
        boolean isOver =
                opened.isDrained() || !parts.settler().hasRoom() || !opened.order().equals(order);
        return new LeaseBuffer.Need(isOver ? 0 : buffer.room(prefetch), List.of());
    }

    private void wake() {
        buffer.poke();
        Fetcher opened = fetcher;
        if (opened != null) {
            opened.wake();
        }
    }

    /// Where jobs are led elsewhere one claim is under way at most: what finds no room there goes
    /// back, and must not do so before what is older.
    private int room(LeaseBuffer.Need need) {
        if (parts.routes().isEmpty()) {
            return need.room();
        }
        int most = hasLed ? parts.routes().room() : Fetcher.CLAIM_MAX;
        return Math.min(need.room(), Math.min(most, Fetcher.CLAIM_MAX));
    }

    private void claim(Fetcher opened, int room) {
        Claiming.Claimed claimed = opened.claim(room);
        // First of all: whatever may fail below, these jobs are in someone's hands.
        Routes.Sorted sorted = parts.routes().lead(claimed.leases());
        buffer.add(sorted.staying());
        returns.giveBackFirst(sorted.surplus());
        hasLed = sorted.hasLed();
        parts.outage().up();
        report.tell(claimed, order);
        if (claimed.isFenced() || (claimed.unusable() > 0 && claimed.leases().isEmpty())) {
            // The lease's thread begins a new epoch; a wrong key needs an operator, and until then
            // must not slow the queues beside it.
            backoff.pause();
        } else {
            backoff.reset();
        }
        if (claimed.leases().isEmpty() && !opened.hasAsked() && buffer.hasIdleSlot()) {
            opened.await();
        }
    }

    /// Serves these queues from now on, which may be none; what it holds of others stays its own. A
    /// capsule that has no queues when it starts claims only if this was called before.
    public void serve(QueueOrder queues) {
        order = queues;
        isServing = true;
        wake();
    }

    /// Stops claiming; jobs that no slot has started go back to their queue, running ones go on.
    /// Idempotent.
    public void quiet() {
        isQuiet = true;
        buffer.close();
        Fetcher opened = fetcher;
        if (opened != null) {
            opened.stop();
        }
    }

    @Override
    public void stop(Duration patience) {
        quiet();
        Thread claiming = claimer;
        if (claiming == null && !isAlone) {
            return;
        }
        slots.awaitEnd(patience);
        // Before running jobs go back, so that these, which are older, come to stand before the
        // rest.
        if (claiming == null) {
            slots.recall();
            returns.giveBack(buffer.drain());
        } else {
            join(claiming);
        }
        List<Lease> unfinished = slots.takeAway();
        if (!unfinished.isEmpty()) {
            returns.giveBack(unfinished);
            parts.settler().flush(INTERRUPT_PATIENCE);
            parts.listener().on(new Event.StopRequeued(unfinished.size()));
            slots.interrupt();
            slots.awaitEnd(INTERRUPT_PATIENCE);
        }
        limits.stop();
    }

    private static void join(Thread thread) {
        try {
            thread.join(INTERRUPT_PATIENCE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    public CapsuleSettings settings() {
        return settings;
    }

    Parts parts() {
        return parts;
    }

    /// Its queues that are not paused now.
    List<String> openQueues() {
        return new OpenQueues(order, parts.pauses()).open();
    }

    public Counters counters() {
        return counters;
    }

    /// The jobs that run now.
    public List<Running> running() {
        return slots.running();
    }

    /// Threads that jobs hold which would not end.
    public Stuck stuck() {
        return slots.stuck();
    }

    /// True when nothing runs here but what is stuck, and nothing that was claimed waits.
    public boolean isIdle() {
        return buffer.isEmpty() && slots.running().isEmpty();
    }

    public boolean isQuiet() {
        return isQuiet;
    }
}
