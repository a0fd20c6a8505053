package dev.mawashi.inspect;

import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A live process's record (docs/formats/sidekiq.md, "Process records"), of Sidekiq 6.4 to 8.1 or
/// ours.
public final class ProcessView {
    private final String identity;
    private final Map<String, String> record;
    private final Payload info;
    private final Fields own;

    private ProcessView(String identity, Map<String, String> record, Payload info) {
        this.identity = identity;
        this.record = record;
        this.info = info;
        own = Fields.of(record.get(Keys.OWN_RECORD));
    }

    /// Reads a record.
    ///
    /// @return empty when it has expired or is none
    static Optional<ProcessView> of(String identity, Map<String, String> record) {
        String info = record.get("info");
        if (info == null) {
            return Optional.empty();
        }
        Payload fields = Payload.tryParse(info.getBytes(StandardCharsets.UTF_8));
        return Optional.ofNullable(fields).map(found -> new ProcessView(identity, record, found));
    }

    public String identity() {
        return identity;
    }

    public String tag() {
        return Objects.requireNonNullElse(info.text("tag"), "");
    }

    /// Sidekiq's version; empty up to Sidekiq 6, which does not say it.
    public String version() {
        return Objects.requireNonNullElse(info.text("version"), "");
    }

    /// Its queues, none twice.
    public List<String> queues() {
        return texts("queues");
    }

    public List<String> labels() {
        return texts("labels");
    }

    private List<String> texts(String field) {
        try {
            String array = Objects.requireNonNullElse(info.raw(field), "[]");
            return JsonElements.of(array).stream().map(JsonElements::plain).distinct().toList();
        } catch (MalformedPayload _) {
            return List.of();
        }
    }

    public long busy() {
        return number("busy");
    }

    public long concurrency() {
        return record.containsKey("concurrency")
                ? number("concurrency")
                : info.integer("concurrency").orElse(0);
    }

    public long rssKib() {
        return number("rss");
    }

    public boolean isQuiet() {
        return "true".equals(record.get("quiet"));
    }

    /// Why it cannot run jobs now; "" when it can, and for a process of Sidekiq's.
    public String trouble() {
        return record.getOrDefault("trouble", "");
    }

    /// True for a process that runs inside another program, which must not be signalled.
    public boolean isEmbedded() {
        return info.isTrue("embedded");
    }

    /// True for one of ours, of a version that tells more than Sidekiq and takes questions.
    public boolean isMawashi() {
        return own.isThere();
    }

    /// The capsules of one of ours; none for any other.
    public List<CapsuleView> capsules() {
        return own.objects("capsules").stream().map(CapsuleView::of).toList();
    }

    /// The processes that run jobs for one of ours.
    public long children() {
        return own.number("children");
    }

    /// CPU time that its own process has used, without its children; zero when it is not told.
    public Duration cpu() {
        return Duration.ofMillis(own.number("cpu_ms"));
    }

    /// Time that its JVM has collected garbage; zero at its first beat, and when it is not told.
    public Duration collecting() {
        return Duration.ofMillis(own.number("gc_ms"));
    }

    /// Time since its last sign of life.
    public Duration sinceBeat(Instant now) {
        return since(record.getOrDefault("beat", ""), now);
    }

    /// Time since it started.
    public Duration sinceStart(Instant now) {
        return since(Objects.requireNonNullElse(info.raw("started_at"), ""), now);
    }

    private static Duration since(String seconds, Instant now) {
        try {
            long millis = Math.round(Double.parseDouble(seconds) * 1_000);
            return Duration.ofMillis(Math.max(0, now.toEpochMilli() - millis));
        } catch (NumberFormatException _) {
            return Duration.ZERO;
        }
    }

    private long number(String field) {
        try {
            return Long.parseLong(record.getOrDefault(field, "0"));
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
