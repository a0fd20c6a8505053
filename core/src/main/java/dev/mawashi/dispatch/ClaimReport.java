package dev.mawashi.dispatch;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.fetch.QueueOrder;

/// Tells of what a claim met beside jobs.
final class ClaimReport {
    private ClaimReport() {}

    static void tell(Claiming.Claimed claimed, QueueOrder order, Listener listener) {
        if (claimed.buried() > 0) {
            int max = RedisBroker.PAYLOAD_BYTES_MAX;
            listener.on(new Event.PayloadsTooLarge(claimed.buried(), max));
        }
        if (claimed.trimmed() > 0) {
            listener.on(new Event.DeadSetTrimmed(claimed.trimmed()));
        }
        if (claimed.unusable() > 0) {
            listener.on(new Event.QueuesUnusable(order.names(), claimed.unusable()));
        }
    }
}
