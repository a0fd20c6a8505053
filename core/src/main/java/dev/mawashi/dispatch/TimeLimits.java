package dev.mawashi.dispatch;

import dev.mawashi.broker.Lease;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The time limits of jobs. A payload may have a lower limit than its queue, in its field
/// `time_limit`, which comes from `sidekiq_options time_limit: 30` of the class.
///
/// @param byQueue those of queues that have one
/// @param otherwise that of the other queues; null for none
/// @param grace how long a job that was asked to end may take for it
public record TimeLimits(
        Map<String, Duration> byQueue, @Nullable Duration otherwise, Duration grace) {
    /// What most jobs need for their `ensure` blocks.
    public static final Duration GRACE = Duration.ofSeconds(5);

    /// No queue has a limit; payloads may.
    public static final TimeLimits NONE = new TimeLimits(Map.of(), null);

    static final long UNLIMITED = Long.MAX_VALUE;

    private static final String FIELD = "time_limit";

    /// Longer ones come from a typing error, and count as none.
    private static final double SECONDS_MAX = Duration.ofDays(3_650).toSeconds();

    public TimeLimits {
        byQueue = Map.copyOf(byQueue);
        byQueue.forEach((queue, limit) -> {
            if (!limit.isPositive()) {
                throw new IllegalArgumentException(
                        "queue \"" + queue + "\": time_limit is " + limit + ", must be above 0");
            }
        });
    }

    /// With the grace that is good for most.
    public TimeLimits(Map<String, Duration> byQueue, @Nullable Duration otherwise) {
        this(byQueue, otherwise, GRACE);
    }

    long ofQueueNanos(String queue) {
        Duration own = byQueue.get(queue);
        Duration limit = own == null ? otherwise : own;
        return limit == null ? UNLIMITED : limit.toNanos();
    }

    /// The smaller one of what queue and payload say.
    long nanos(Lease lease) {
        return Math.min(ofQueueNanos(lease.queue()), ofPayloadNanos(lease.payload()));
    }

    private static long ofPayloadNanos(byte[] bytes) {
        try {
            double seconds = seconds(Payload.parse(bytes).raw(FIELD));
            return seconds > 0 && seconds <= SECONDS_MAX ? (long) (seconds * 1e9) : UNLIMITED;
        } catch (MalformedPayload | NumberFormatException _) {
            // What is no job, or no number, limits nothing.
            return UNLIMITED;
        }
    }

    private static double seconds(@Nullable String raw) {
        return raw == null ? 0 : Double.parseDouble(raw);
    }
}
