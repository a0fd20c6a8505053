package dev.mawashi.inspect;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Times and spans as people write them.
public final class TimeText {
    /// What a span looks like, for messages.
    public static final String SPANS = "90, 90s, 15m, 2h or 1d";

    /// What a time looks like, for messages.
    public static final String TIMES = "2026-12-24T18:00:00Z or epoch seconds";

    private static final Pattern SPAN = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,3})?)([smhd]?)");
    private static final Pattern EPOCH = Pattern.compile("\\d{1,11}(\\.\\d{1,9})?");
    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");

    private TimeText() {}

    /// A span, in seconds where it names no unit.
    ///
    /// @return empty when the text is none
    public static Optional<Duration> span(String text) {
        Matcher matcher = SPAN.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long seconds =
                switch (matcher.group(2)) {
                    case "m" -> 60;
                    case "h" -> 3_600;
                    case "d" -> 86_400;
                    default -> 1;
                };
        double number = Double.parseDouble(matcher.group(1));
        return Optional.of(Duration.ofMillis(Math.round(number * 1_000 * seconds)));
    }

    /// A time; one without a zone is in UTC, a day alone begins at midnight.
    ///
    /// @return empty when the text is none
    public static Optional<Instant> instant(String text) {
        if (EPOCH.matcher(text).matches()) {
            return Optional.of(Instant.ofEpochMilli(Math.round(Double.parseDouble(text) * 1_000)));
        }
        try {
            if (DAY.matcher(text).matches()) {
                return Optional.of(LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));
            }
            return Optional.of(
                    text.endsWith("Z")
                            ? Instant.parse(text)
                            : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
