package dev.mawashi.live;

import dev.mawashi.wire.JsonFields;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// The spans that plots show.
enum Range {
    MINUTES_15("15m", Duration.ofMinutes(15)),
    HOUR("1h", Duration.ofHours(1)),
    HOURS_8("8h", Duration.ofHours(8));

    /// Lines of one plot that eyes can separate.
    private static final int QUEUES_MAX = 8;

    static final String NAMES =
            Arrays.stream(values()).map(range -> range.shown).collect(Collectors.joining(", "));

    private final String shown;
    private final Duration span;

    Range(String shown, Duration span) {
        this.shown = shown;
        this.span = span;
    }

    static Optional<Range> of(String shown) {
        return Arrays.stream(values()).filter(range -> range.shown.equals(shown)).findFirst();
    }

    /// Columns of the same length: `times`, one for each gauge, and two for each of the queues with
    /// most to do.
    ///
    /// @param now seconds since 1970
    String json(History history, double now) {
        History.Columns columns = history.last(span, now, QUEUES_MAX);
        JsonFields json =
                new JsonFields()
                        .text("range", shown)
                        .number("seconds", span.toSeconds())
                        .json("now", JsonNumbers.of(now))
                        .json("times", JsonNumbers.of(columns.times()));
        for (Gauge gauge : Gauge.values()) {
            json.json(gauge.key(), JsonNumbers.of(columns.gauges().get(gauge.column())));
        }
        return json.array("queues", columns.queues().stream().map(Range::json).toList()).toString();
    }

    private static String json(History.QueueColumn queue) {
        return new JsonFields()
                .text("name", queue.name())
                .json("depth", JsonNumbers.of(queue.depth()))
                .json("age", JsonNumbers.of(queue.age()))
                .toString();
    }
}
