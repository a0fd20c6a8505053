package dev.mawashi.presence;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.LeasedQueues;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.Settled;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Keeps this process's lease on its queues, from a thread of its own that does nothing else.
///
/// The lease is renewed each third of its length, and at once where Redis turns out not to know it.
/// If others have recovered what this process held, it begins a new epoch and goes on as a new
/// owner. `Epoch.leasedUntil` is set from the time before the renewal was sent, so that the local
/// view never outlives Redis's.
///
/// Some queues are leased always. The others, of which there may be thousands, are leased while
/// there is work in them: see `LeasedQueues`. What is in flight is always under a lease, since one
/// is only given up in the same step in which Redis sees that nothing is.
public final class LeaseKeeper implements Service {
    /// Well above what a try takes whose connection hangs.
    private static final Duration HANGS_AFTER = Duration.ofSeconds(30);

    private static final int RENEWALS_PER_LENGTH = 3;
    private static final Duration RETRY = Duration.ofMillis(500);

    private final Leasing leasing;
    private final Epoch epoch;
    private volatile List<String> queues;
    private final Set<String> opened = new LinkedHashSet<>();
    private final Set<String> unsure = new LinkedHashSet<>();
    private final Duration length;
    private final Reconciliation reconciliation;
    private final Listener listener;
    private final Outage outage;
    private final Loop loop = Loop.platform("lease", this::step).farewell(this::release);
    private final long pause;
    private final long retry;
    private volatile long wentRoundNanos = System.nanoTime();
    private volatile boolean isDoubted;
    private boolean isOpen;
    private boolean isKept;
    private long triedNanos;

    /// When the lease is to be renewed, or opened if it is not.
    private long nextNanos;

    private Map<String, String> refused = Map.of();

    /// Most queues that are opened in one go, so that a renewal never has to wait for long.
    private static final int OPENED_MAX = 1_000;

    /// @param queues those that are leased always
    /// @param settings after what time others take this process for dead
    /// @param settle makes settlements again that Redis has lost
    public LeaseKeeper(
            Leasing leasing,
            Epoch epoch,
            List<String> queues,
            LeaseSettings settings,
            Consumer<Settled> settle,
            Listener listener,
            Outage outage) {
        this.leasing = leasing;
        this.epoch = epoch;
        this.queues = List.copyOf(queues);
        this.length = settings.length();
        pause = length.toNanos() / RENEWALS_PER_LENGTH;
        retry = Math.min(pause, RETRY.toNanos());
        reconciliation = new Reconciliation(leasing, settle, listener, RENEWALS_PER_LENGTH);
        this.listener = listener;
        this.outage = outage;
    }

    /// Returns when the lease is open, or when Redis could not be reached; it is then opened as
    /// soon as that is possible.
    @Override
    public void start() {
        epoch.leased().onWanted(loop::wake);
        leasing.onDoubt(this::doubt);
        keepNow();
        loop.start();
    }

    /// Always leases these queues from now on. One that was leased always before is given up as any
    /// other, once it is of no use any more.
    ///
    /// Called by one thread.
    public void serve(List<String> now) {
        queues = List.copyOf(now);
        loop.wake();
    }

    /// Has the lease renewed at once, or a moment after the last renewal. Safe for any thread.
    private void doubt() {
        isDoubted = true;
        loop.wake();
    }

    private Duration step() {
        wentRoundNanos = System.nanoTime();
        if (isDoubted) {
            isDoubted = false;
            long soonest = triedNanos + retry;
            nextNanos = soonest - nextNanos < 0 ? soonest : nextNanos;
        }
        if (wentRoundNanos - nextNanos >= 0) {
            keepNow();
        } else if (isKept && isMoreWanted() && !isDone(this::openMore)) {
            isKept = false;
            nextNanos = wentRoundNanos + retry;
        }
        boolean isMoreNow = isKept && isMoreWanted();
        return Duration.ofNanos(isMoreNow ? 0 : Math.max(0, nextNanos - System.nanoTime()));
    }

    private void keepNow() {
        triedNanos = System.nanoTime();
        isKept = keepOnce();
        nextNanos = System.nanoTime() + (isKept ? pause : retry);
    }

    /// Whether the lease is still looked after, be Redis there or not. If it is not, this process
    /// starts no job any more.
    public boolean isGoingRound() {
        return System.nanoTime() - wentRoundNanos < length.plus(HANGS_AFTER).toNanos();
    }

    /// Renews the lease, opens and gives up those of queues that come and go, and compares.
    ///
    /// @return whether all of it was done
    boolean keepOnce() {
        return isDone(() -> {
            keep();
            openMore();
            giveUpUnused();
            reconciliation.compareIfDue(epoch.owner(), opened);
        });
    }

    private boolean isDone(Runnable step) {
        try {
            step.run();
            outage.up();
            return true;
        } catch (RuntimeException failure) {
            outage.failed("lease", failure);
            return false;
        }
    }

    private void keep() {
        long sent = System.nanoTime();
        Leasing.Kept kept = isOpen ? leasing.renew(epoch.owner(), opened, length) : openAnew();
        if (kept.isFenced()) {
            String old = epoch.owner();
            goOnAsAnother();
            listener.on(new Event.OwnerFenced(old, epoch.owner()));
            kept = openAnew();
        }
        isOpen = true;
        epoch.leasedUntil(sent + length.toNanos());
        reconciliation.note(kept.doubt());
        report(kept.refused());
        refused = kept.refused();
    }

    private void goOnAsAnother() {
        isOpen = false;
        String old = epoch.owner();
        epoch.advance();
        leasing.forget(old);
    }

    private Leasing.Kept openAnew() {
        opened.clear();
        unsure.clear();
        epoch.leased().clear();
        List<String> always = queues;
        try {
            Leasing.Kept kept = leasing.open(epoch.owner(), always, length);
            opened.addAll(always);
            return kept;
        } catch (RedisFailure failure) {
            if (failure.kind() == RedisFailure.Kind.UNKNOWN) {
                // The lease may be open, and be used. Others may recover it before the next try,
                // and to open it again would hide that.
                goOnAsAnother();
            }
            throw failure;
        }
    }

    /// Once for each queue.
    private void report(Map<String, String> present) {
        if (!refused.keySet().containsAll(present.keySet())) {
            listener.on(new Event.LeasesRefused(present));
        }
    }

    private boolean isMoreWanted() {
        return isOpen
                && (!opened.containsAll(queues)
                        || !unsure.isEmpty()
                        || !epoch.leased().wanted(1).isEmpty());
    }

    private void openMore() {
        List<String> wanted = epoch.leased().wanted(OPENED_MAX);
        List<String> more =
                Stream.of(queues, unsure, wanted)
                        .flatMap(Collection::stream)
                        .filter(queue -> !opened.contains(queue))
                        .distinct()
                        .toList();
        if (!more.isEmpty()) {
            Leasing.Kept kept = leasing.open(epoch.owner(), more, length);
            opened.addAll(more);
            unsure.clear();
            reconciliation.note(kept.doubt());
            report(kept.refused());
        }
        if (!wanted.isEmpty()) {
            epoch.leased().opened(wanted);
        }
    }

    /// What fails may be given up or not, and is opened again.
    private void giveUpUnused() {
        LeasedQueues leased = epoch.leased();
        leased.takeUnused(length.toNanos());
        Set<String> always = Set.copyOf(queues);
        List<String> unused =
                opened.stream()
                        .filter(queue -> !always.contains(queue) && !leased.isLeased(queue))
                        .toList();
        if (!unused.isEmpty()) {
            unused.forEach(opened::remove);
            unsure.addAll(unused);
            List<String> kept = leasing.giveUpUnused(epoch.owner(), unused);
            unsure.clear();
            opened.addAll(kept);
            leased.opened(kept);
        }
    }

    private void release() {
        opened.addAll(unsure);
        try {
            leasing.release(epoch.owner(), opened);
        } catch (RedisFailure failure) {
            // The lease lapses by itself and others recover what is left.
            outage.down(failure.reason());
        }
        leasing.close();
    }

    /// Gives the lease up; what is still held goes back to the head of its queue.
    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
