package dev.mawashi.presence;

import dev.mawashi.broker.Epoch;
import dev.mawashi.broker.LeasedQueues;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.Settled;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.event.Outage;
import dev.mawashi.lifecycle.Service;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Keeps this process's lease on its queues, from a thread of its own that does nothing else.
///
/// The lease is renewed each third of its length. If others have recovered what this process held,
/// it begins a new epoch and goes on as a new owner. `Epoch.leasedUntil` is set from the time
/// before the renewal was sent, so that the local view never outlives Redis's.
///
/// Some queues are leased always. The others, of which there may be thousands, are leased while
/// there is work in them: see `LeasedQueues`. What is in flight is always under a lease, since one
/// is only given up in the same step in which Redis sees that nothing is.
public final class LeaseKeeper implements Service {
    /// Well above what a try takes whose connection hangs.
    private static final Duration HANGS_AFTER = Duration.ofSeconds(30);

    private static final int RENEWALS_PER_LENGTH = 3;

    private final Leasing leasing;
    private final Epoch epoch;
    private volatile List<String> queues;
    private final Set<String> opened = new LinkedHashSet<>();
    private final Set<String> unsure = new LinkedHashSet<>();
    private final Duration length;
    private final Reconciliation reconciliation;
    private final Listener listener;
    private final Outage outage;
    private volatile boolean isStopping;
    private volatile long wentRoundNanos = System.nanoTime();
    private boolean isOpen;
    private Map<String, String> refused = Map.of();
    private volatile @Nullable Thread thread;

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
        reconciliation = new Reconciliation(leasing, settle, listener, RENEWALS_PER_LENGTH);
        this.listener = listener;
        this.outage = outage;
    }

    /// Returns when the lease is open, or when Redis could not be reached; it is then opened as
    /// soon as that is possible.
    @Override
    public void start() {
        epoch.leased().onWanted(() -> LockSupport.unpark(thread));
        keepOnce();
        thread = Thread.ofPlatform().name("mawashi-lease-1").daemon().start(this::run);
    }

    /// These are the queues that are leased always, from now on. One that was before is given up as
    /// any other, once it is of no use any more.
    ///
    /// Called by one thread.
    public void serve(List<String> now) {
        queues = List.copyOf(now);
        LockSupport.unpark(thread);
    }

    private void run() {
        long pause = length.toNanos() / RENEWALS_PER_LENGTH;
        long retry = Math.min(pause, Duration.ofMillis(500).toNanos());
        boolean isKept = isOpen;
        long next = System.nanoTime() + (isKept ? pause : retry);
        while (!isStopping) {
            wentRoundNanos = System.nanoTime();
            if (!isKept || !isMoreWanted()) {
                LockSupport.parkNanos(next - wentRoundNanos);
            }
            long now = System.nanoTime();
            if (isStopping) {
                return;
            }
            if (now - next >= 0) {
                isKept = keepOnce();
                next = now + (isKept ? pause : retry);
            } else if (isKept && !isDone(this::openMore)) {
                isKept = false;
                next = now + retry;
            }
        }
    }

    /// Whether the lease is still looked after, be Redis there or not. If it is not, this process
    /// starts no job any more.
    public boolean isGoingRound() {
        return System.nanoTime() - wentRoundNanos < length.plus(HANGS_AFTER).toNanos();
    }

    private boolean keepOnce() {
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
        } catch (RedisFailure failure) {
            outage.down(failure.reason());
            return false;
        } catch (RuntimeException defect) {
            listener.on(new Event.Defect("lease", defect));
            return false;
        }
    }

    private void keep() {
        long sent = System.nanoTime();
        Leasing.Kept kept =
                isOpen ? leasing.renew(epoch.owner(), opened, length) : openAnew(epoch.owner());
        if (kept.isFenced()) {
            String old = epoch.owner();
            kept = openAnew(epoch.advance());
            leasing.forget(old);
            listener.on(new Event.OwnerFenced(old, epoch.owner()));
        }
        isOpen = true;
        epoch.leasedUntil(sent + length.toNanos());
        reconciliation.note(kept.doubt());
        report(kept.refused());
        refused = kept.refused();
    }

    private Leasing.Kept openAnew(String owner) {
        opened.clear();
        unsure.clear();
        epoch.leased().clear();
        List<String> always = queues;
        Leasing.Kept kept = leasing.open(owner, always, length);
        opened.addAll(always);
        return kept;
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

    /// Gives the lease up; what is still held goes back to the head of its queue.
    @Override
    public void stop(Duration patience) {
        isStopping = true;
        Thread running = thread;
        if (running == null) {
            return;
        }
        LockSupport.unpark(running);
        try {
            running.join(patience.plus(Duration.ofMillis(100)));
            opened.addAll(unsure);
            leasing.release(epoch.owner(), opened);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RedisFailure failure) {
            // The lease lapses by itself and others recover what is left.
            outage.down(failure.reason());
        }
        leasing.close();
        thread = null;
    }
}
