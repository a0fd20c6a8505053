package dev.mawashi.pages;

import dev.mawashi.figures.RunTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/// Values as people read them. For templates.
public final class Show {
    private Show() {}

    /// `1,234,567`.
    public static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /// `12.3 per second`; `…` for a negative one, which is not known yet.
    public static String rate(double perSecond) {
        return perSecond < 0
                ? "…"
                : String.format(Locale.ROOT, perSecond < 100 ? "%.1f" : "%,.0f", perSecond)
                        + " per second";
    }

    /// `45 ms`, `1.7 s`, `5 min 35 s`.
    public static String millis(double millis) {
        return millis < 1_000
                ? String.format(Locale.ROOT, "%,.0f ms", millis)
                : span(millis / 1_000);
    }

    /// `< 45 ms`, the bound of a percentile of run times; `–` where nothing ran.
    public static String below(OptionalLong bound) {
        if (bound.isEmpty()) {
            return "–";
        }
        return bound.getAsLong() == RunTimes.BEYOND
                ? "> 335 s"
                : "< " + millis((double) bound.getAsLong());
    }

    /// `2.5 %`.
    public static String percent(double share) {
        return String.format(
                Locale.ROOT, share > 0 && share < 0.1 ? "%.1f %%" : "%.0f %%", share * 100);
    }

    /// Points of a line through these, 100 wide and 24 high, for a picture in a row.
    public static String line(List<Long> bars) {
        long most = Math.max(1, bars.stream().mapToLong(Long::longValue).max().orElse(1));
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < bars.size(); i++) {
            points.append(i * 100 / Math.max(1, bars.size() - 1))
                    .append(',')
                    .append(23 - bars.get(i) * 22 / most)
                    .append(' ');
        }
        return points.toString().strip();
    }

    /// `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`, `4 d 1 h`, `15 min`.
    public static String span(double seconds) {
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f s", Math.max(0, seconds));
        }
        Duration span = Duration.ofSeconds((long) seconds);
        if (span.toDays() > 0) {
            return units(span.toDays(), "d", span.toHoursPart(), "h");
        }
        if (span.toHours() > 0) {
            return units(span.toHours(), "h", span.toMinutesPart(), "min");
        }
        return span.toMinutes() > 0
                ? units(span.toMinutes(), "min", span.toSecondsPart(), "s")
                : span.toSeconds() + " s";
    }

    private static String units(long many, String large, int rest, String small) {
        return many + " " + large + (rest == 0 ? "" : " " + rest + " " + small);
    }

    /// `in 3 min 5 s` or `12 s ago`.
    public static String relative(Instant time, Instant now) {
        double seconds = Duration.between(now, time).toMillis() / 1_000.0;
        return seconds > 0 ? "in " + span(seconds) : span(-seconds) + " ago";
    }

    /// `2026-11-24T12:00:00Z`.
    public static String exact(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /// `213 MB`.
    public static String kibibytes(long kib) {
        return String.format(Locale.ROOT, "%,d MB", kib * 1_024 / 1_000_000);
    }

    /// Whether a line of a backtrace is of a gem or of Ruby itself, by its path.
    public static boolean isOfGem(String line) {
        return line.contains("/gems/")
                || line.contains("/lib/ruby/")
                || line.startsWith("<internal:");
    }

    /// A text that goes into a line, cut to so many characters.
    public static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }
}
