package dev.mawashi.dispatch;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.metrics.WaitTally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/// Reports what claims met besides jobs, and how long the jobs had waited. One thread's.
///
/// Each claim meets a wrong key again, and there may be a thousand a second. So what cannot be used
/// is reported when it begins and when it ends, for all queues together of which one of these is
/// so.
final class ClaimReport {
    /// Where that comes and goes, it is reported no more often.
    private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    private final Listener listener;
    private final WaitTally waits;
    private final LongSupplier nanoTime;

    /// The queues that could not be used when a claim last looked at them, and those of which that
    /// was reported: no more than the capsule serves.
    private final Set<String> unusable = new TreeSet<>();

    private final Set<String> reported = new TreeSet<>();
    private long nextNanos;
    private boolean isFullTold;

    /// @param nanoTime a monotonic clock
    ClaimReport(Listener listener, WaitTally waits, LongSupplier nanoTime) {
        this.listener = listener;
        this.waits = waits;
        this.nanoTime = nanoTime;
        nextNanos = nanoTime.getAsLong();
    }

    void publish(Claiming.Claimed claimed, QueueOrder order) {
        countWaits(claimed.leases());
        if (claimed.buried() > 0) {
            int max = RedisBroker.PAYLOAD_BYTES_MAX;
            listener.on(new Event.PayloadsTooLarge(claimed.buried(), max));
        }
        if (claimed.trimmed() > 0) {
            listener.on(new Event.DeadSetTrimmed(claimed.trimmed()));
        }
        if (!claimed.unusable().isEmpty() || !unusable.isEmpty() || !reported.isEmpty()) {
            publishUnusable(claimed.met(), order.names());
        }
    }

    private void publishUnusable(Claiming.Met met, List<String> served) {
        met.lookedAt().forEach(unusable::remove);
        unusable.addAll(met.unusable());
        unusable.retainAll(Set.copyOf(served));
        long now = nanoTime.getAsLong();
        if (isUntold() && now - nextNanos >= 0) {
            nextNanos = now + PAUSE_NANOS;
            List<String> begun = without(unusable, reported);
            List<String> over = without(reported, unusable);
            reported.clear();
            reported.addAll(unusable);
            if (!begun.isEmpty()) {
                listener.on(new Event.QueuesUnusable(begun));
            }
            if (!over.isEmpty()) {
                listener.on(new Event.QueuesUsable(over));
            }
        }
    }

    private static List<String> without(Set<String> some, Collection<String> others) {
        List<String> rest = new ArrayList<>(some);
        rest.removeAll(others);
        return rest;
    }

    /// Whether another claim should look before long: there is something that was not reported yet.
    boolean isUntold() {
        return !unusable.equals(reported);
    }

    /// Once: with such jobs it goes on all the time.
    void publishFull(long bytesMax) {
        if (!isFullTold) {
            isFullTold = true;
            listener.on(new Event.PayloadsFull(bytesMax));
        }
    }

    /// A claim brings the jobs of each queue in a row.
    private void countWaits(List<Lease> leases) {
        int from = 0;
        while (from < leases.size()) {
            int to = from + 1;
            while (to < leases.size() && leases.get(to).queue().equals(leases.get(from).queue())) {
                to++;
            }
            waits.claimed(leases.get((from + to) / 2).payload(), to - from);
            from = to;
        }
    }
}
