package dev.mawashi.inspect;

import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A job that runs now, as its process said at its last beat.
///
/// @param identity the process, or the id of a worker of Resque's
/// @param slot the process's name for the place where it runs; empty for a worker, which has one
/// @param queue the queue it was taken from
/// @param since when the run began
/// @param place where in the process it runs
/// @param runId what `mawashi cancel` knows it by when it has no jid; empty for any other
public record WorkView(
        String identity,
        String slot,
        String queue,
        JobView job,
        Optional<Instant> since,
        Place place,
        String runId) {
    /// Where a job runs, as far as its process tells.
    ///
    /// @param runner such as `jruby`; "" for a process that is not ours
    /// @param thread "" where another process runs it
    /// @param pid of that other process; 0 for none
    public record Place(String runner, String thread, long pid) {
        /// Nothing is known.
        public static final Place UNKNOWN = new Place("", "", 0);

        /// A few words, such as `mri child 4711`; "" when nothing is known.
        public String words() {
            if (pid != 0) {
                return (runner + " child " + pid).strip();
            }
            return (runner + " " + thread).strip();
        }
    }

    /// Those whose begin is not known come first.
    public static final Comparator<WorkView> LONGEST_FIRST =
            Comparator.comparing(one -> one.since().map(Instant::toEpochMilli).orElse(0L));

    /// Reads an entry of a work hash; its payload is a JSON string, or an object up to Sidekiq 5.
    static WorkView of(String identity, String slot, byte[] entry) {
        Payload work = Payload.tryParse(entry);
        if (work == null) {
            return new WorkView(
                    identity, slot, "", JobView.of(entry), Optional.empty(), Place.UNKNOWN, "");
        }
        String payload =
                Objects.requireNonNullElseGet(
                        work.text("payload"),
                        () -> Objects.requireNonNullElse(work.raw("payload"), ""));
        return new WorkView(
                identity,
                slot,
                Objects.requireNonNullElse(work.text("queue"), ""),
                JobView.of(payload.getBytes(StandardCharsets.UTF_8)),
                seconds(work.raw("run_at")),
                place(work),
                "");
    }

    /// Reads the record of a worker of Resque's that runs a job.
    static WorkView ofWorker(String id, byte[] entry) {
        Payload work = Payload.tryParse(entry);
        if (work == null) {
            return new WorkView(id, "", "", JobView.of(entry), Optional.empty(), Place.UNKNOWN, "");
        }
        String payload = Objects.requireNonNullElse(work.raw("payload"), "");
        return new WorkView(
                id,
                "",
                Objects.requireNonNullElse(work.text("queue"), ""),
                JobView.of(payload.getBytes(StandardCharsets.UTF_8)),
                instant(work.text("run_at")),
                Place.UNKNOWN,
                Objects.requireNonNullElse(work.text("mawashi_run"), ""));
    }

    private static Place place(Payload work) {
        return new Place(
                Objects.requireNonNullElse(work.text("runner"), ""),
                Objects.requireNonNullElse(work.text("thread"), ""),
                work.integer("pid").orElse(0));
    }

    private static Optional<Instant> instant(@Nullable String time) {
        try {
            return time == null ? Optional.empty() : Optional.of(Instant.parse(time));
        } catch (DateTimeException _) {
            return Optional.empty();
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
