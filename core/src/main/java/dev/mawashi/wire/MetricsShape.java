package dev.mawashi.wire;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The spelling of the keys behind Sidekiq's Metrics page; 7 and 8 differ (docs/formats/sidekiq.md,
/// "Metrics"). All times in them are UTC.
public enum MetricsShape {
    SEVEN,
    EIGHT;

    /// How long a histogram, and the counts of a minute, are kept.
    public static final Duration SHORT_TERM = Duration.ofHours(8);

    /// How long the counts of ten minutes are kept.
    public static final Duration MID_TERM = Duration.ofDays(3);

    /// The words that runs are counted under by `byRunner`.
    public static final List<String> RUNNERS = List.of("jruby", "mri", "fork", "java");

    private static final DateTimeFormatter MINUTE_7 = utc("uuuuMMdd'|'H:m");
    private static final DateTimeFormatter MINUTE_8 = utc("uuMMdd'|'H:mm");
    private static final DateTimeFormatter HISTOGRAM_7 = utc("dd-HH:m");
    private static final DateTimeFormatter HISTOGRAM_8 = utc("d-H:m");

    /// A hash with counts of all classes.
    public record Rollup(String key, Duration ttl) {}

    private static DateTimeFormatter utc(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
    }

    /// The shape that a version of the sidekiq gem reads; empty for versions before 7, whose page
    /// shows no metrics unless they were switched on as a beta.
    ///
    /// @param version "" for the API that Mawashi ships
    public static Optional<MetricsShape> of(String version) {
        if (version.isEmpty()) {
            return Optional.of(EIGHT);
        }
        int major = Integer.parseInt(version.substring(0, (version + ".").indexOf('.')));
        if (major < 7) {
            return Optional.empty();
        }
        return Optional.of(major == 7 ? SEVEN : EIGHT);
    }

    /// The hashes to which the counts of a time go.
    public List<Rollup> rollups(Instant time) {
        return switch (this) {
            case SEVEN -> List.of(new Rollup("j|" + MINUTE_7.format(time), SHORT_TERM));
            case EIGHT -> byMinutes("j|", time);
        };
    }

    /// The hashes of ours to which runs by class and runner of a time go, whatever the shape.
    public static List<Rollup> byRunner(Instant time) {
        return byMinutes("mw:runs|", time);
    }

    /// The hash of ours to which waits of a minute go, whatever the shape.
    public static Rollup waits(Instant time) {
        return new Rollup("mw:waits|" + MINUTE_8.format(time), SHORT_TERM);
    }

    private static List<Rollup> byMinutes(String prefix, Instant time) {
        String minute = prefix + MINUTE_8.format(time);
        String tenMinutes = minute.substring(0, minute.length() - 1);
        return List.of(new Rollup(tenMinutes, MID_TERM), new Rollup(minute, SHORT_TERM));
    }

    /// The key of a class's histogram of the minute.
    public String histogram(String jobClass, Instant time) {
        return switch (this) {
            case SEVEN -> jobClass + "-" + HISTOGRAM_7.format(time);
            case EIGHT -> "h|" + jobClass + "-" + HISTOGRAM_8.format(time);
        };
    }
}
