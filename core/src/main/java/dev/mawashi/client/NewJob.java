package dev.mawashi.client;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A job on its way into Redis: its finished payload and where it goes.
///
/// @param queue name of the queue, without prefix; not empty
/// @param payload the exact bytes to store, a JSON object with Sidekiq's fields
/// @param at when it is due, `Instant.MAX` for never; null means now
public record NewJob(String queue, byte[] payload, @Nullable Instant at) {
    public NewJob {
        Objects.requireNonNull(payload, "payload");
        if (queue.isEmpty()) {
            throw new IllegalArgumentException("queue name is empty");
        }
    }

    /// The moment so many seconds after 1970; the first or last one that there is where it lies
    /// beyond.
    public static Instant moment(double seconds) {
        if (seconds >= Instant.MAX.getEpochSecond()) {
            return Instant.MAX;
        }
        double since = Math.max(seconds, (double) Instant.MIN.getEpochSecond());
        long whole = (long) Math.floor(since);
        return Instant.ofEpochSecond(whole, Math.round((since - whole) * 1e9));
    }
}
