package dev.mawashi.inspect;

import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A job that runs now, as its process said at its last beat.
///
/// @param slot the process's name for the place where it runs
/// @param queue the queue it was taken from
/// @param since when the run began
public record WorkView(
        String identity, String slot, String queue, JobView job, Optional<Instant> since) {

    /// Reads an entry of a work hash; its payload is a JSON string, or an object up to Sidekiq 5.
    static WorkView of(String identity, String slot, byte[] entry) {
        try {
            Payload work = Payload.parse(entry);
            String payload =
                    Objects.requireNonNullElseGet(
                            work.text("payload"),
                            () -> Objects.requireNonNullElse(work.raw("payload"), ""));
            return new WorkView(
                    identity,
                    slot,
                    Objects.requireNonNullElse(work.text("queue"), ""),
                    JobView.of(payload.getBytes(StandardCharsets.UTF_8)),
                    seconds(work.raw("run_at")));
        } catch (MalformedPayload _) {
            JobView bytes = JobView.of(entry);
            return new WorkView(identity, slot, "", bytes, Optional.empty());
        }
    }

    private static Optional<Instant> seconds(@Nullable String number) {
        try {
            return number == null
                    ? Optional.empty()
                    : Optional.of(Instant.ofEpochSecond((long) Double.parseDouble(number)));
        } catch (NumberFormatException | DateTimeException _) {
            return Optional.empty();
        }
    }
}
