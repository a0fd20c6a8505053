package dev.mawashi.dispatch;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.Lease;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.fetch.QueueOrder;
import dev.mawashi.metrics.WaitTally;
import java.time.Duration;
import java.util.List;

/// Reports what claims met besides jobs, and how long the jobs had waited. One thread's.
final class ClaimReport {
    /// Each claim meets a wrong key again, and there may be a thousand a second.
    private static final long REPEAT_NANOS = Duration.ofSeconds(5).toNanos();

    private final Listener listener;
    private final WaitTally waits;
    private long nextNanos = System.nanoTime();

    ClaimReport(Listener listener, WaitTally waits) {
        this.listener = listener;
        this.waits = waits;
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
        if (claimed.unusable() > 0 && System.nanoTime() - nextNanos >= 0) {
            nextNanos = System.nanoTime() + REPEAT_NANOS;
            listener.on(new Event.QueuesUnusable(order.names(), claimed.unusable()));
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
