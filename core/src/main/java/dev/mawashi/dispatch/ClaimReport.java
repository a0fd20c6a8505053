package dev.mawashi.dispatch;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.fetch.QueueOrder;
import java.time.Duration;

/// Reports what claims met besides jobs. One thread's.
final class ClaimReport {
    /// Each claim meets a wrong key again, and there may be a thousand a second.
    private static final long REPEAT_NANOS = Duration.ofSeconds(5).toNanos();

    private final Listener listener;
    private long nextNanos = System.nanoTime();

    ClaimReport(Listener listener) {
        this.listener = listener;
    }

    void publish(Claiming.Claimed claimed, QueueOrder order) {
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
}
