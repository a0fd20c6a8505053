package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import dev.mawashi.wire.JsonScanner;
import dev.mawashi.wire.MalformedPayload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/// A job that runs, as its process keeps it in Redis: in a hash of Sidekiq's, or in the record of a
/// worker of Resque's (docs/formats/sidekiq.md, "Process records"; docs/formats/resque.md,
/// "Workers").
///
/// @param slot short name of the place where it runs, unique in the process; "" for a worker
/// @param queue that it was taken from
/// @param since when the run began, to the second
/// @param place where it runs
/// @param runId by which `mawashi cancel` takes a job of Resque's; "" for any other
public record WorkEntry(
        String slot,
        String queue,
        byte[] payload,
        Optional<Instant> since,
        Place place,
        String runId) {
    /// The place where a job runs, as far as its process reports it.
    ///
    /// @param runner such as `jruby`; "" for a process that is not ours
    /// @param thread name of the thread of its process; "" where another process runs it
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

    /// As Sidekiq's hash has it, and after that what Sidekiq does not know.
    String json() {
        JsonFields fields =
                new JsonFields()
                        .text("queue", queue)
                        .text("payload", new String(payload, StandardCharsets.UTF_8))
                        .number("run_at", since.map(Instant::getEpochSecond).orElse(0L))
                        .text("runner", place.runner());
        if (!place.thread().isEmpty()) {
            fields.text("thread", place.thread());
        }
        if (place.pid() != 0) {
            fields.number("pid", place.pid());
        }
        return fields.toString();
    }

    /// Reads what `json` wrote, or any Sidekiq; up to Sidekiq 5 the payload is an object.
    static WorkEntry of(String slot, byte[] json) {
        JsonObject work = JsonObject.of(json);
        if (!work.isThere()) {
            return new WorkEntry(slot, "", json, Optional.empty(), Place.UNKNOWN, "");
        }
        String raw = raw(work);
        String payload = raw.startsWith("\"") ? work.text("payload") : raw;
        return new WorkEntry(
                slot,
                work.text("queue"),
                payload.getBytes(StandardCharsets.UTF_8),
                EpochSeconds.read(work.raw("run_at")).map(WorkEntry::wholeSeconds),
                new Place(work.text("runner"), work.text("thread"), work.number("pid")),
                "");
    }

    private static String raw(JsonObject work) {
        return Objects.requireNonNullElse(work.raw("payload"), "");
    }

    private static Instant wholeSeconds(Instant time) {
        return Instant.ofEpochSecond(time.getEpochSecond());
    }

    /// As Resque's `working_on` writes it, with what `mawashi cancel` takes. A payload that is no
    /// job is `{}`.
    public String workerJson() {
        return new JsonFields()
                .text("queue", queue)
                .time("run_at", since)
                .json("payload", checked(payload))
                .text("mawashi_run", runId)
                .toString();
    }

    private static String checked(byte[] payload) {
        try {
            int _ = JsonScanner.requireOne(payload);
            return new String(payload, StandardCharsets.UTF_8);
        } catch (MalformedPayload _) {
            return "{}";
        }
    }

    /// Reads what `workerJson` wrote, or Resque.
    static WorkEntry ofWorker(byte[] json) {
        JsonObject work = JsonObject.of(json);
        return new WorkEntry(
                "",
                work.text("queue"),
                work.isThere() ? raw(work).getBytes(StandardCharsets.UTF_8) : json,
                work.instant("run_at"),
                Place.UNKNOWN,
                work.text("mawashi_run"));
    }
}
