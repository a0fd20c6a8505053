package dev.mawashi.cli;

import java.time.Duration;

/// Lengths of time as people read them.
final class Spans {
    private Spans() {}

    /// The two largest units, such as `4 s`, `12 min 3 s` or `2 d 5 h`.
    static String of(Duration span) {
        long days = span.toDays();
        int hours = span.toHoursPart();
        int minutes = span.toMinutesPart();
        int seconds = span.toSecondsPart();
        if (days > 0) {
            return days + " d " + hours + " h";
        }
        if (hours > 0) {
            return hours + " h " + minutes + " min";
        }
        return minutes > 0 ? minutes + " min " + seconds + " s" : seconds + " s";
    }
}
