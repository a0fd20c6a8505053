package dev.mawashi.dispatch;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Lease;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.fetch.Fetcher;
import dev.mawashi.fetch.OpenQueues;
import dev.mawashi.fetch.Prefetch;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.fetch.Receiver;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.metrics.WaitTally;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.settle.Settler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Fills a capsule's buffer from its queues, on a thread of its own, until the buffer is closed.
/// Then it gives back what no slot has started.
///
/// That of a capsule whose jobs come by `Routes` claims nothing: it only gives back what no slot
/// takes.
final class Claimer implements Receiver {
    /// How often to look again while a capsule is full that jobs are routed to.
    private static final Duration FULL_LOOK = Duration.ofMillis(1);

    /// How long to wait for room in the settler before looking whether this is to end.
    private static final Duration ROOM_PATIENCE = Duration.ofMillis(100);

    /// How long to wait for a job, and how long at least from one claim to the next, while nothing
    /// comes but what a wrong key keeps back.
    private static final Duration UNUSABLE_LOOK = Duration.ofSeconds(1);

    private static final Duration UNUSABLE_PAUSE = Duration.ofMillis(50);

    private final CapsuleParts parts;
    private final LeaseBuffer buffer;
    private final Demand demand;
    private final Counters counters;
    private final Slots slots;
    private final Routes routes;
    private final Settler settler;
    private final Listener listener;
    private final Outage outage;
    private final Prefetch prefetch;
    private final Backoff backoff = new Backoff();
    private final Leftovers leftovers;
    private final Returns returns;
    private final WaitTally waits;
    private final ClaimReport report;
    private final Loop loop;
    private final CapsuleSettings.Source source;
    private volatile QueueOrder order;

    /// Written once, by `start`; null before that, and for good where jobs come by `Routes`.
    private volatile @Nullable Fetcher fetcher;

    /// Whether the last claim brought jobs that were routed elsewhere.
    private boolean hasRouted;

    private long passedNanos = System.nanoTime();

    /// How many jobs to hold ready that others claim.
    private int offered;

    Claimer(
            CapsuleSettings settings,
            CapsuleParts parts,
            LeaseBuffer buffer,
            Counters counters,
            Slots slots) {
        this.parts = parts;
        this.buffer = buffer;
        demand = new Demand(buffer);
        this.counters = counters;
        this.slots = slots;
        routes = parts.routes();
        settler = parts.runs().settler();
        listener = parts.runs().listener();
        outage = parts.outage();
        prefetch = new Prefetch(settings.slots());
        leftovers = new Leftovers(outage, backoff);
        returns = new Returns(settler, buffer::isClosed);
        waits = parts.runs().tallies().waits();
        report = new ClaimReport(listener, waits, System::nanoTime);
        order = settings.queues();
        source = settings.source();
        loop = Loop.platform(settings.loopName("claim"), this::step).farewell(this::giveBackRest);
    }

    /// Holds no job ready until runs have shown what to: while slots are held back, one could wait
    /// for a slot in vain. To be called before `start`.
    void beModest() {
        prefetch.distrust();
    }

    void start() {
        fetcher =
                switch (source) {
                    case QUEUES ->
                            new Fetcher(parts.broker(), openQueues(), parts.runs().epoch(), this);
                    case ROUTES -> null;
                };
        loop.start();
    }

    /// The capsule's queues that are not paused.
    OpenQueues openQueues() {
        return new OpenQueues(order, parts.pauses());
    }

    @Override
    public boolean begin(Lease lease, Runnable onBegun) {
        // Those that go to other capsules are sorted by this thread.
        boolean hasBegun =
                routes.isEmpty()
                        && settler.hasRoom()
                        && buffer.begin(
                                lease,
                                () -> {
                                    onBegun.run();
                                    settler.arrived(lease);
                                });
        if (hasBegun) {
            waits.claimed(lease.payload(), 1);
        }
        return hasBegun;
    }

    /// What has begun is put in flight last: a job that came behind it waits for its claim.
    @Override
    public void arrived() {
        buffer.poke();
        Fetcher present = fetcher;
        if (present != null && !present.hasArrival()) {
            present.wake();
        }
        settler.hurry();
    }

    private Duration step() {
        if (buffer.isClosed()) {
            return Loop.OVER;
        }
        Fetcher opened = fetcher;
        return opened == null ? watchOffered() : claimNext(opened);
    }

    /// Gives back what no slot takes, where only other claimers fill the buffer.
    private Duration watchOffered() {
        List<Lease> stale = demand.awaitStale(offered);
        prefetch.learn(counters.ended(), counters.nanos());
        if (!stale.isEmpty()) {
            prefetch.distrust();
            returns.giveBack(stale);
        }
        offered = prefetch.jobs();
        return Duration.ZERO;
    }

    private Duration claimNext(Fetcher opened) {
        if (!opened.hasAsked()) {
            if (!settler.awaitRoom(ROOM_PATIENCE) || routes.room() <= 0) {
                return FULL_LOOK;
            }
            if (!opened.order().equals(order)) {
                opened.follow(order);
            }
        }
        prefetch.learn(counters.ended(), counters.nanos());
        Demand.Need need = need(opened, prefetch.jobs());
        if (!need.stale().isEmpty()) {
            prefetch.distrust();
            returns.giveBackFirst(need.stale());
            listener.on(new Event.PrefetchReturned(need.stale().size()));
        }
        try {
            int room = room(need);
            if (room > 0 || opened.hasAsked()) {
                claim(opened, room);
            } else if (opened.hasArrival()) {
                opened.giveBack();
            }
        } catch (RedisFailure failure) {
            if (!buffer.isClosed()) {
                outage.down(failure.reason());
                backoff.pause();
            }
        } catch (RuntimeException defect) {
            listener.on(new Event.Defect("claim", defect));
            backoff.pause();
        }
        return Duration.ZERO;
    }

    /// After a claim that found less than it wanted, only an idle slot is worth another. While one
    /// is under way nothing is waited for but its answer.
    private Demand.Need need(Fetcher opened, int ready) {
        if (!opened.hasAsked()) {
            return demand.awaitNeed(opened.isDrained() ? 0 : ready);
        }
        boolean isOver = opened.isDrained() || !settler.hasRoom() || !opened.order().equals(order);
        return new Demand.Need(isOver ? 0 : demand.room(ready), List.of());
    }

    /// Where jobs are routed elsewhere, one claim is under way at most: what finds no room there
    /// goes back, and must not do so before what is older.
    private int room(Demand.Need need) {
        if (routes.isEmpty()) {
            return need.room();
        }
        int most = hasRouted ? routes.room() : Fetcher.CLAIM_MAX;
        return Math.min(need.room(), Math.min(most, Fetcher.CLAIM_MAX));
    }

    private void claim(Fetcher opened, int room) {
        Claiming.Claimed claimed = opened.claim(room);
        // First of all: whatever may fail below, these jobs are in someone's hands.
        Routes.Sorted sorted = routes.route(claimed.leases());
        buffer.add(sorted.staying());
        returns.giveBackFirst(sorted.surplus());
        hasRouted = sorted.hasRouted();
        outage.up();
        report.publish(claimed, order);
        if (buffer.isFull()) {
            report.publishFull(buffer.payloads.most());
        }
        if (claimed.isFenced()) {
            // The lease's thread begins a new epoch.
            backoff.pause();
        } else {
            backoff.reset();
        }
        boolean isEmpty = claimed.leases().isEmpty();
        boolean isWaiting = isEmpty && !opened.hasAsked() && buffer.hasIdleSlot();
        if (isEmpty && (!claimed.unusable().isEmpty() || report.isUntold())) {
            passOver(opened, isWaiting);
        } else if (isWaiting) {
            opened.await();
        }
    }

    /// A wrong key needs an operator. Until then the other queues' jobs arrive as ever, and that
    /// queue is looked at now and then.
    private void passOver(Fetcher opened, boolean isWaiting) {
        if (isWaiting) {
            opened.await(UNUSABLE_LOOK);
        }
        long next = passedNanos + UNUSABLE_PAUSE.toNanos();
        LockSupport.parkNanos(this, next - System.nanoTime());
        passedNanos = System.nanoTime();
    }

    /// Claims from these queues from now on, which may be none.
    void serve(QueueOrder queues) {
        order = queues;
        buffer.poke();
        Fetcher opened = fetcher;
        if (opened != null) {
            opened.wake();
        }
    }

    void quiet() {
        buffer.close();
        Fetcher opened = fetcher;
        if (opened != null) {
            opened.stop();
        }
    }

    /// Gives back what no slot has started. Here and not in `quiet`, since a claim was perhaps
    /// under way: what it brought is newer and must go back together with what waited before.
    void giveBackRest() {
        Fetcher opened = fetcher;
        slots.recall();
        if (opened != null) {
            leftovers.collect(opened, buffer);
        }
        returns.giveBack(buffer.drain());
        // Not before: what a slow child gives back later is older, and must not be overtaken.
        slots.endRecall();
        returns.giveBack(buffer.drain());
        if (opened != null) {
            leftovers.giveBack(opened);
            opened.close();
        }
    }

    /// Waits until it has given back what no slot has started.
    void stop(Duration patience) {
        loop.stop(patience);
    }
}
