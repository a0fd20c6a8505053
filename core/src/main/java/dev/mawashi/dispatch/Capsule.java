package dev.mawashi.dispatch;

import dev.mawashi.broker.Broker;
import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.execute.Runner;
import dev.mawashi.fetch.Fetcher;
import dev.mawashi.fetch.Prefetch;
import dev.mawashi.job.Outcome;
import dev.mawashi.job.RetryHint;
import dev.mawashi.lifecycle.Backoff;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.settle.RetryPolicy;
import dev.mawashi.settle.Settler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A pool of slots with its queues: one claimer thread, a buffer, n slot threads.
///
/// Stopping: the claimer ends first and gives back what no slot has started; running jobs get the
/// stop's patience; what still runs then goes back to the head of its queue before its thread is
/// interrupted, so that it is never lost and, unless it ends in that instant, never settled twice.
public final class Capsule implements Service {
    /// How long interrupted jobs may take to run their `ensure` blocks.
    private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(3);

    /// How long running jobs are waited for before suspects run, and how often.
    private static final Duration SOLO_PATIENCE = Duration.ofSeconds(5);

    private static final Duration SOLO_WAIT_EVERY = Duration.ofMinutes(1);

    /// How long a suspect may run alone before other work goes on beside it.
    private static final Duration SOLO_RUN = Duration.ofSeconds(60);

    private static final Duration HELD_LOOK = Duration.ofMillis(5);

    private static final int SOLO_CRASHES_MAX = 3;

    private static final Outcome.Failed CRASHED =
            new Outcome.Failed(
                    "Mawashi::ProcessCrashed",
                    "the process died each of the "
                            + SOLO_CRASHES_MAX
                            + " times that this job ran alone in it",
                    List.of(),
                    new RetryHint(
                            RetryHint.Retry.DEFAULT, OptionalLong.empty(), RetryHint.Verdict.KILL));

    /// How often giving back is tried while Redis is away; after that it is left to recovery.
    private static final int GIVE_BACK_TRIES = 5;

    /// Ruby code recurses deeper than Java's default stack allows.
    private static final long STACK_BYTES = 2 << 20;

    private final CapsuleSettings settings;
    private final Parts parts;
    private final LeaseBuffer buffer = new LeaseBuffer();
    private final Counters counters = new Counters();
    private final Backoff backoff = new Backoff();
    private final List<Slot> slots;
    private final CountDownLatch slotsEnded;
    private volatile @Nullable Fetcher fetcher;
    private volatile @Nullable Thread claimer;
    private volatile boolean isQuiet;
    private volatile boolean hasSuspects;
    private volatile boolean isHeld;
    private volatile boolean isHeldStill;
    private long nextSoloWait = System.nanoTime();

    /// What a capsule works with.
    ///
    /// @param solitude the same for all capsules of a process
    public record Parts(
            Broker broker,
            Runner runner,
            RetryPolicy policy,
            Settler settler,
            Epoch epoch,
            Listener listener,
            Outage outage,
            Solitude solitude) {}

    public Capsule(CapsuleSettings settings, Parts parts) {
        this.settings = settings;
        this.parts = parts;
        this.slotsEnded = new CountDownLatch(settings.slots());
        this.slots =
                Stream.generate(() -> new Slot(parts, buffer, counters))
                        .limit(settings.slots())
                        .toList();
        parts.solitude().join(this);
    }

    @Override
    public void start() {
        Thread.Builder thread =
                Thread.ofPlatform().name("mawashi-slot-", 1).stackSize(STACK_BYTES).daemon();
        for (Slot slot : slots) {
            thread.start(() -> runSlot(slot));
        }
        Fetcher opened =
                new Fetcher(parts.broker(), settings.queues(), parts.epoch(), buffer::poke);
        fetcher = opened;
        claimer =
                Thread.ofPlatform()
                        .name("mawashi-claim-1")
                        .daemon()
                        .start(() -> claimUntilQuiet(opened));
    }

    private void runSlot(Slot slot) {
        try {
            slot.run();
        } catch (RuntimeException defect) {
            parts.listener().on(new Event.Defect("slot", defect));
        } finally {
            slotsEnded.countDown();
        }
    }

    private void claimUntilQuiet(Fetcher opened) {
        Prefetch prefetch = new Prefetch(settings.slots());
        boolean isDrained = true;
        while (!isQuiet) {
            if (isHeld) {
                waitUntilLetGo();
                continue;
            }
            runSuspects(opened);
            prefetch.learn(counters.ended(), counters.nanos());
            // After a claim that found less than it wanted, only an idle slot is worth another.
            LeaseBuffer.Need need = buffer.awaitNeed(isDrained ? 0 : prefetch.jobs());
            if (!need.stale().isEmpty()) {
                prefetch.distrust();
                giveBack(need.stale());
                parts.listener().on(new Event.PrefetchReturned(need.stale().size()));
            }
            try {
                if (need.room() > 0) {
                    isDrained = claim(opened, need.room()) < need.room();
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
        // Here and not in `quiet`, since a claim was perhaps under way: what it brought is newer
        // and must go back together with what waited before.
        giveBack(buffer.drain());
        giveBackArrivals(opened);
        opened.close();
    }

    /// What arrived for this capsule, or was claimed without its knowing, would else wait until its
    /// lease ends, which for a quiet process may be hours.
    private void giveBackArrivals(Fetcher opened) {
        for (int i = 0; i < GIVE_BACK_TRIES; i++) {
            try {
                opened.giveBack();
                return;
            } catch (RedisFailure failure) {
                parts.outage().down(failure.reason());
                backoff.pause();
            }
        }
    }

    /// Runs suspects alone, one after the other, once nothing else runs here. Busy slots are waited
    /// for only so long; the next sweep asks again.
    private void runSuspects(Fetcher opened) {
        if (!hasSuspects || !isAlone()) {
            return;
        }
        hasSuspects = false;
        if (!parts.solitude().enter(this, SOLO_PATIENCE)) {
            hasSuspects = true;
            return;
        }
        parts.settler().flush(SOLO_PATIENCE);
        try {
            Optional<Claiming.Suspect> suspect = opened.claimSuspect();
            while (suspect.isPresent() && !isQuiet) {
                runAlone(opened, suspect.get());
                suspect = opened.claimSuspect();
            }
            suspect.ifPresent(left -> giveBack(List.of(left.lease())));
        } catch (RedisFailure failure) {
            parts.outage().down(failure.reason());
        } finally {
            parts.solitude().leave(this);
        }
    }

    /// Another capsule is to have the process to itself: starts nothing until `letGo`.
    void hold() {
        isHeld = true;
        buffer.poke();
        Fetcher opened = fetcher;
        if (opened != null) {
            opened.wake();
        }
    }

    void letGo() {
        isHeld = false;
    }

    /// True when a held capsule runs nothing and will start nothing.
    boolean isStill() {
        return isHeldStill || claimer == null || slotsEnded.getCount() == 0;
    }

    private void waitUntilLetGo() {
        giveBack(buffer.drain());
        while (isHeld && !isQuiet) {
            isHeldStill = buffer.awaitAllIdle(settings.slots(), HELD_LOOK);
            LockSupport.parkNanos(HELD_LOOK.toNanos());
        }
        isHeldStill = false;
    }

    /// True when nothing runs here. Running jobs are waited for, but so seldom and so briefly that
    /// a long one beside a suspect costs little.
    private boolean isAlone() {
        if (buffer.awaitAllIdle(settings.slots(), Duration.ZERO)) {
            return true;
        }
        long now = System.nanoTime();
        if (now - nextSoloWait < 0) {
            return false;
        }
        nextSoloWait = now + SOLO_WAIT_EVERY.toNanos();
        return buffer.awaitAllIdle(settings.slots(), SOLO_PATIENCE);
    }

    private void runAlone(Fetcher opened, Claiming.Suspect suspect) {
        Lease lease = suspect.lease();
        if (suspect.soloCrashes() >= SOLO_CRASHES_MAX) {
            parts.settler().settle(lease, parts.policy().decide(lease, CRASHED, (_, _) -> false));
            opened.absolve(lease, true);
            return;
        }
        buffer.add(List.of(lease));
        boolean hasEnded = buffer.awaitAllIdle(settings.slots(), SOLO_RUN);
        opened.absolve(lease, hasEnded && !isQuiet);
    }

    private int claim(Fetcher opened, int room) {
        Claiming.Claimed claimed = opened.claim(room);
        // First of all: whatever may fail below, these jobs are in someone's hands.
        buffer.add(claimed.leases());
        parts.outage().up();
        report(claimed);
        if (claimed.isFenced() || claimed.unusable() > 0) {
            // The lease's thread begins a new epoch; a wrong key needs an operator.
            backoff.pause();
        } else {
            backoff.reset();
        }
        if (claimed.leases().isEmpty() && buffer.hasIdleSlot()) {
            opened.await();
        }
        return claimed.leases().size();
    }

    private void report(Claiming.Claimed claimed) {
        if (claimed.buried() > 0) {
            parts.listener()
                    .on(
                            new Event.PayloadsTooLarge(
                                    claimed.buried(), RedisBroker.PAYLOAD_BYTES_MAX));
        }
        if (claimed.unusable() > 0) {
            parts.listener()
                    .on(new Event.QueuesUnusable(settings.queues().names(), claimed.unusable()));
        }
    }

    private void giveBack(List<Lease> leases) {
        if (!leases.isEmpty()) {
            parts.settler().requeue(leases);
        }
    }

    /// There are jobs that were in hand at several crashes: they are to be run alone.
    public void onSuspects() {
        hasSuspects = true;
        buffer.poke();
        Fetcher opened = fetcher;
        if (opened != null) {
            opened.wake();
        }
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
        if (claimer == null) {
            return;
        }
        await(slotsEnded, patience);
        // Before running jobs go back, so that these, which are older, come to stand before the
        // rest.
        join(Objects.requireNonNull(claimer));
        List<Lease> unfinished = new ArrayList<>();
        for (Slot slot : slots) {
            Lease lease = slot.takeAway();
            if (lease != null) {
                unfinished.add(lease);
            }
        }
        if (!unfinished.isEmpty()) {
            giveBack(unfinished);
            parts.settler().flush(INTERRUPT_PATIENCE);
            parts.listener().on(new Event.StopRequeued(unfinished.size()));
            slots.forEach(Slot::interrupt);
            await(slotsEnded, INTERRUPT_PATIENCE);
        }
    }

    private static void await(CountDownLatch latch, Duration patience) {
        try {
            latch.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
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

    public Counters counters() {
        return counters;
    }

    /// The jobs that run now.
    public List<Running> running() {
        List<Running> all = new ArrayList<>();
        for (Slot slot : slots) {
            Running one = slot.running();
            if (one != null) {
                all.add(one);
            }
        }
        return all;
    }

    public boolean isQuiet() {
        return isQuiet;
    }
}
