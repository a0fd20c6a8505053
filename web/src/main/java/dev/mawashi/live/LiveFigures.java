package dev.mawashi.live;

import dev.mawashi.figures.Stats;
import dev.mawashi.pages.Show;
import dev.mawashi.wire.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// The contents of an event for all pages: figures as shown, by the name that a page's element has
/// in `data-figure`; the same as numbers, for plots; and a mark, which changes when a page may look
/// different.
final class LiveFigures {
    /// Queues in an event; the busiest.
    private static final int QUEUES_MAX = 20;

    private LiveFigures() {}

    /// @param time seconds since 1970
    /// @param rates of runs a second, ended well and failed; negative while that is not known
    static String json(double time, Stats stats, Pulse.Rate rates) {
        StringBuilder out = new StringBuilder(1_024).append("{\"time\":");
        JsonNumbers.append(out, time)
                .append(",\"mark\":")
                .append(mark(stats))
                .append(",\"shown\":{");
        shown(stats, rates)
                .forEach((name, text) ->
                        out.append(Json.quote(name))
                                .append(':')
                                .append(Json.quote(text))
                                .append(','));
        out.setLength(out.length() - 1);
        out.append("},\"gauges\":[");
        JsonNumbers.append(out, known(rates.processed() - rates.failed(), rates)).append(',');
        JsonNumbers.append(out, known(rates.failed(), rates));
        for (long gauge :
                new long[] {
                    stats.enqueued(), stats.busy(), stats.retries(), stats.scheduled(), stats.dead()
                }) {
            out.append(',').append(gauge);
        }
        out.append("],\"queues\":{");
        new QueueColumns()
                .place(stats.queues()).stream()
                        .limit(QUEUES_MAX)
                        .forEach(placed -> queue(out, placed.queue()));
        if (out.charAt(out.length() - 1) == ',') {
            out.setLength(out.length() - 1);
        }
        return out.append("}}").toString();
    }

    private static void queue(StringBuilder out, Stats.QueueStats queue) {
        out.append(Json.quote(queue.name())).append(":[").append(queue.size()).append(',');
        JsonNumbers.append(out, queue.size() > 0 ? queue.latencySeconds() : 0).append("],");
    }

    private static double known(double rate, Pulse.Rate rates) {
        return rates.processed() < 0 ? Double.NaN : rate;
    }

    private static Map<String, String> shown(Stats stats, Pulse.Rate rates) {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("processed", Show.number(stats.processed()));
        shown.put("failed", Show.number(stats.failed()));
        shown.put("rate", Show.rate(rates.processed()));
        shown.put("failing", Show.rate(rates.failed()));
        shown.put("enqueued", Show.number(stats.enqueued()));
        shown.put("busy", Show.number(stats.busy()));
        shown.put("retries", Show.number(stats.retries()));
        shown.put("scheduled", Show.number(stats.scheduled()));
        shown.put("dead", Show.number(stats.dead()));
        shown.put("processes", Show.number(stats.processes()));
        return shown;
    }

    /// Waiting times grow by themselves, and count for nothing here.
    private static int mark(Stats stats) {
        int mark =
                Objects.hash(
                        stats.processed(),
                        stats.failed(),
                        stats.scheduled(),
                        stats.retries(),
                        stats.dead(),
                        stats.processes(),
                        stats.busy());
        for (Stats.QueueStats queue : stats.queues()) {
            mark =
                    31 * mark
                            + Objects.hash(
                                    queue.name(),
                                    queue.size(),
                                    queue.inFlight(),
                                    queue.isPaused(),
                                    queue.isServed());
        }
        return mark;
    }
}
