package dev.mawashi.live;

import dev.mawashi.wire.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The spans that plots show.
enum Range {
    MINUTES_15("15m", Duration.ofMinutes(15)),
    HOUR("1h", Duration.ofHours(1)),
    HOURS_8("8h", Duration.ofHours(8));

    /// Lines of one plot that eyes can tell apart.
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
        StringBuilder out =
                new StringBuilder(16_384).append("{\"range\":").append(Json.quote(shown));
        out.append(",\"seconds\":").append(span.toSeconds()).append(",\"now\":");
        JsonNumbers.append(out, now).append(",\"times\":");
        JsonNumbers.append(out, columns.times());
        for (Gauge gauge : Gauge.values()) {
            out.append(',').append(Json.quote(gauge.key())).append(':');
            JsonNumbers.append(out, columns.gauges().get(gauge.column()));
        }
        out.append(",\"queues\":[");
        List<History.QueueColumn> queues = columns.queues();
        for (int i = 0; i < queues.size(); i++) {
            History.QueueColumn queue = queues.get(i);
            out.append(i > 0 ? "," : "").append("{\"name\":").append(Json.quote(queue.name()));
            JsonNumbers.append(out.append(",\"depth\":"), queue.depth());
            JsonNumbers.append(out.append(",\"age\":"), queue.age()).append('}');
        }
        return out.append("]}").toString();
    }
}
