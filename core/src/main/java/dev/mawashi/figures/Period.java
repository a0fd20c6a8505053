package dev.mawashi.figures;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// A span of time up to now that the metrics in Redis may have. Counts of a minute are kept for
/// eight hours, those of ten minutes, which only Sidekiq 8 and Mawashi write, for three days.
public enum Period {
    MINUTES_15("15m", Duration.ofMinutes(15), Duration.ofMinutes(1)),
    HOUR("1h", Duration.ofHours(1), Duration.ofMinutes(1)),
    HOURS_8("8h", Duration.ofHours(8), Duration.ofMinutes(1)),
    DAY("24h", Duration.ofDays(1), Duration.ofMinutes(10)),
    DAYS_3("72h", Duration.ofDays(3), Duration.ofMinutes(10));

    private final String shown;
    private final Duration length;
    private final Duration step;

    Period(String shown, Duration length, Duration step) {
        this.shown = shown;
        this.length = length;
        this.step = step;
    }

    /// @param shown such as `1h`
    /// @return empty for what is none
    public static Optional<Period> of(String shown) {
        return Arrays.stream(values()).filter(one -> one.shown.equals(shown)).findFirst();
    }

    /// All of them, for a message: `15m, 1h, 8h, 24h or 72h`.
    public static String names() {
        return Arrays.stream(values()).map(Period::shown).collect(Collectors.joining(", "));
    }

    public String shown() {
        return shown;
    }

    public Duration length() {
        return length;
    }

    /// What one count is of.
    public Duration step() {
        return step;
    }

    /// When each of its steps begins, oldest first; the last is under way.
    List<Instant> steps(Instant now) {
        long step = this.step.toSeconds();
        long last = now.getEpochSecond() / step * step;
        List<Instant> steps = new ArrayList<>();
        for (long at = last - length.toSeconds() + step; at <= last; at += step) {
            steps.add(Instant.ofEpochSecond(at));
        }
        return steps;
    }
}
