package dev.mawashi.cron;

import dev.mawashi.broker.GemSchedulerTable;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import dev.mawashi.wire.Keys;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/// A schedule of the gem sidekiq-scheduler, as the gem has written it. Nothing of it need be right.
///
/// @param kind the field that says when it comes: `cron`, `every`, `at`, `in` or `interval`
/// @param text what that field has
record SchedulerSchedule(GemSchedulerTable.Entry entry, String kind, String text)
        implements ShownSchedule {
    static final String GEM = "sidekiq-scheduler";
    private static final String LINE = "cron";

    /// In the gem's order.
    private static final List<String> KINDS = List.of(LINE, "every", "at", "in", "interval");

    private static final int TEXT_MAX = 500;

    /// As the gem notes `next_times`: `Z` in UTC, else `+0100` (`strfz` in `time.rb` of et-orbi).
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss XX");

    /// @return empty for what is no schedule
    static Optional<SchedulerSchedule> of(GemSchedulerTable.Entry entry) {
        JsonObject fields = JsonObject.of(entry.entry());
        return KINDS.stream()
                .filter(kind -> !text(fields, kind).isEmpty())
                .findFirst()
                .map(kind -> new SchedulerSchedule(entry, kind, text(fields, kind)));
    }

    /// The text, or the first of a list that has options behind it.
    private static String text(JsonObject fields, String kind) {
        List<String> elements = JsonObject.elements(fields.raw(kind));
        if (elements.isEmpty()) {
            return shortened(fields.text(kind));
        }
        return shortened(JsonObject.of("{\"a\":" + elements.getFirst() + "}").text("a"));
    }

    private static String shortened(String text) {
        return text.substring(0, Math.min(TEXT_MAX, text.length()));
    }

    private JsonObject fields() {
        return JsonObject.of(entry.entry());
    }

    @Override
    public String name() {
        return Keys.gemScheduler(entry.place(), entry.name());
    }

    /// Whether an operator may mean it by this.
    boolean isCalled(String wanted) {
        return wanted.equals(name()) || wanted.equals(entry.name());
    }

    /// As its last change by hand says, or else its entry.
    boolean isPaused() {
        String state = JsonObject.of(entry.state()).raw("enabled");
        String enabled = state == null ? fields().raw("enabled") : state;
        return "false".equals(enabled) || "null".equals(enabled);
    }

    @Override
    public String cron() {
        return kind.equals(LINE) ? text : kind + " " + text;
    }

    /// That of the process that fired last; empty when it is not known.
    @Override
    public String zone() {
        return entry.zone();
    }

    @Override
    public String jobClass() {
        String named = fields().text("class");
        return shortened(named.isEmpty() ? entry.name() : named);
    }

    /// Empty where the job's class says it when it is enqueued, as those of Active Job do: the gem
    /// writes the queue of all others into the entry (`infer_queue` in its `schedule.rb`).
    @Override
    public String queue() {
        return shortened(fields().text("queue"));
    }

    /// The gem's processes know, and nobody else.
    @Override
    public boolean isActiveJob() {
        return false;
    }

    @Override
    public String description() {
        return shortened(fields().text("description"));
    }

    @Override
    public String gem() {
        return GEM;
    }

    /// None where no process has loaded it. Of what is no line, at most the next.
    @Override
    public List<Instant> next(Instant after, int most) {
        Optional<Instant> noted = time(entry.next());
        if (noted.isEmpty()) {
            return List.of();
        }
        return parsed().map(line -> line.next(after, most))
                .orElseGet(() -> noted.filter(after::isBefore).stream().toList());
    }

    @Override
    public Optional<CronLine> parsed() {
        return kind.equals(LINE) ? ShownSchedule.super.parsed() : Optional.empty();
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text, TIME).toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /// A run as the gem notes it, in the form of our own records.
    ///
    /// @param seconds since 1970
    static JsonObject run(String seconds) {
        Optional<Instant> at =
                seconds.matches("\\d{1,11}")
                        ? Optional.of(Instant.ofEpochSecond(Long.parseLong(seconds)))
                        : Optional.empty();
        return JsonObject.of(
                new JsonFields()
                        .text("outcome", "enqueued")
                        .time("tick", at)
                        .time("at", at)
                        .toString());
    }
}
