package dev.mawashi.operate;

import dev.mawashi.tables.SetEditing;
import dev.mawashi.wire.Expiry;
import dev.mawashi.wire.Json;
import dev.mawashi.wire.Payload;
import dev.mawashi.wire.TimeStyle;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// An entry of a set in the form in which it goes back to its queue, as Sidekiq's API makes it
/// (6.4.1, `api.rb`, `SortedEntry#retry` and `#add_to_queue`).
final class Requeued {
    private static final String DEFAULT_QUEUE = "default";

    private Requeued() {}

    /// @param other the queue that it goes to; "" for its own
    /// @param isRetry `retry_count` goes down by one, so that the failure that follows counts as
    ///   the one before
    /// @throws dev.mawashi.wire.MalformedPayload when it is no job
    static SetEditing.Move of(byte[] entry, String other, boolean isRetry, Instant now) {
        Payload job = Payload.parse(entry);
        Map<String, String> changes = new LinkedHashMap<>();
        String queue = other.isEmpty() ? job.text("queue") : other;
        if (queue == null || queue.isEmpty()) {
            queue = DEFAULT_QUEUE;
        }
        if (!queue.equals(job.text("queue"))) {
            changes.put("queue", Json.quote(queue));
        }
        if (isRetry && job.integer("retry_count").isPresent()) {
            int before = job.integer("retry_count").getAsInt() - 1;
            changes.put("retry_count", Integer.toString(before));
        }
        changes.put("enqueued_at", TimeStyle.of(job).format(now));
        if (job.raw(Expiry.FIELD) != null) {
            // Otherwise it would be gone as soon as it is claimed; `expires_in` counts anew.
            changes.put(Expiry.FIELD, "null");
        }
        return new SetEditing.Move(entry, queue, job.with(changes));
    }
}
