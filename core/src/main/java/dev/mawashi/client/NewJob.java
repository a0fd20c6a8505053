package dev.mawashi.client;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A job on its way into Redis: its finished payload and where it goes.
///
/// @param queue name of the queue, without prefix; not empty
/// @param payload the exact bytes to store, a JSON object with Sidekiq's fields
/// @param at when it is due; null means now
public record NewJob(String queue, byte[] payload, @Nullable Instant at) {
    public NewJob {
        Objects.requireNonNull(payload, "payload");
        if (queue.isEmpty()) {
            throw new IllegalArgumentException("queue name is empty");
        }
    }
}
