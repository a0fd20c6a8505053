package dev.mawashi.cron;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A schedule of the gem sidekiq-cron, as the gem has written it. Nothing of it need be right.
///
/// @param name its key in Redis: `cron_job:`, from version 2 on the namespace and a colon, and the
///   gem's name; so it is no other schedule's
/// @param isPaused whether the gem has it disabled
record GemSchedule(
        String name,
        String cron,
        String jobClass,
        String queue,
        boolean isActiveJob,
        String description,
        boolean isPaused)
        implements ShownSchedule {
    private static final List<String> PREFIXES = List.of("", "cron_job:", "cron_job:default:");
    private static final int TEXT_MAX = 500;
    private static final String LOCKED = "locked";

    /// Of those that have no jid.
    private static final Map<String, String> REASONS =
            Map.of(
                    LOCKED,
                    "an equal job holds its lock",
                    "stopped",
                    "a lock, client middleware or a callback of the app kept it out");

    /// As the gem's versions write `last_enqueue_time` and the times of runs.
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss Z");

    static GemSchedule of(String key, Map<String, String> fields) {
        String queue = JsonObject.of(fields.get("message")).text("queue");
        String isActiveJob = fields.getOrDefault("active_job", "");
        return new GemSchedule(
                key,
                shortened(fields.getOrDefault("cron", "")),
                shortened(fields.getOrDefault("klass", "")),
                queue.isEmpty() ? "default" : shortened(queue),
                isActiveJob.equals("1") || isActiveJob.equals("true"),
                shortened(fields.getOrDefault("description", "")),
                !fields.getOrDefault("status", "enabled").equals("enabled"));
    }

    /// The keys that an operator may mean by a name, the best first.
    static List<String> keysOf(String name) {
        return PREFIXES.stream().map(prefix -> prefix + name).toList();
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(TEXT_MAX, text.length()));
    }

    /// The gem's.
    @Override
    public String zone() {
        return CronSchedule.ZONE;
    }

    @Override
    public String gem() {
        return "sidekiq-cron";
    }

    /// None for a line that only the gem can read, such as `every 5 minutes`.
    @Override
    public List<Instant> next(Instant after, int most) {
        return parsed().map(line -> line.next(after, most)).orElse(List.of());
    }

    /// A run as the gem notes it, or as `notes.rb` says that a lock kept the job out, in the form
    /// of our own records.
    static JsonObject run(String note) {
        return run(JsonObject.of(note));
    }

    static JsonObject run(JsonObject run) {
        String jid = run.text("jid");
        boolean isKeptOut = run.isThere() && jid.isEmpty();
        String outcome = run.text("outcome").equals(LOCKED) ? LOCKED : "stopped";
        return JsonObject.of(
                new JsonFields()
                        .text("outcome", isKeptOut ? outcome : "enqueued")
                        .known("reason", isKeptOut ? REASONS.get(outcome) : "")
                        .time("at", time(run.text("enqueued")))
                        .known("jid", jid)
                        .toString());
    }

    private static Optional<Instant> time(String text) {
        try {
            String plain = text.replace(" UTC", " +0000");
            return Optional.of(OffsetDateTime.parse(plain, TIME).toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
