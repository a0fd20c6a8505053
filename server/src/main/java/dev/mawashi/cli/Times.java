package dev.mawashi.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The flags `--in` and `--at`.
final class Times {
    private static final Pattern SPAN = Pattern.compile("(\\d{1,9})(?:\\.(\\d{1,3}))?([smhd]?)");
    private static final Pattern EPOCH = Pattern.compile("\\d{1,11}(\\.\\d{1,9})?");

    private Times() {}

    /// When a job is due; null means now.
    ///
    /// @throws WrongUse when both are given, or a value is not a time
    static @Nullable Instant due(@Nullable String in, @Nullable String at, Instant now) {
        if (in != null && at != null) {
            throw new WrongUse("--in and --at do not go together: give one of them");
        }
        if (in != null) {
            return now.plus(span(in));
        }
        return at == null ? null : instant(at);
    }

    private static Duration span(String text) {
        Matcher matcher = SPAN.matcher(text);
        if (!matcher.matches()) {
            throw new WrongUse("--in " + text + " is no time: write 90, 90s, 15m, 2h or 1d");
        }
        double number = Double.parseDouble(text.replaceAll("[smhd]", ""));
        long seconds =
                switch (matcher.group(3)) {
                    case "m" -> 60;
                    case "h" -> 3_600;
                    case "d" -> 86_400;
                    default -> 1;
                };
        return Duration.ofMillis(Math.round(number * 1_000 * seconds));
    }

    private static Instant instant(String text) {
        if (EPOCH.matcher(text).matches()) {
            return Instant.ofEpochMilli(Math.round(Double.parseDouble(text) * 1_000));
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeException _) {
            throw new WrongUse(
                    "--at " + text + " is no time: write 2026-12-24T18:00:00Z or epoch seconds");
        }
    }
}
