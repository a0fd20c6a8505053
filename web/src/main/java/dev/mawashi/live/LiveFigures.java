package dev.mawashi.live;

import dev.mawashi.figures.Stats;
import dev.mawashi.pages.Show;
import dev.mawashi.wire.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
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
    /// @param rates of runs per second, ended well and failed; negative while that is not known
    static String json(double time, Stats stats, Pulse.Rate rates) {
        JsonFields shown = new JsonFields();
        shown(stats, rates).forEach(shown::text);
        JsonFields queues = new JsonFields();
        new QueueColumns()
                .place(stats.queues()).stream()
                        .limit(QUEUES_MAX)
                        .forEach(placed -> add(queues, placed.queue()));
        return new JsonFields()
                .json("time", JsonNumbers.of(time))
                .number("mark", mark(stats))
                .object("shown", shown)
                .json("gauges", JsonNumbers.of(gauges(stats, rates)))
                .object("queues", queues)
                .toString();
    }

    private static List<Double> gauges(Stats stats, Pulse.Rate rates) {
        return List.of(
                known(rates.processed() - rates.failed(), rates),
                known(rates.failed(), rates),
                (double) stats.enqueued(),
                (double) stats.busy(),
                (double) stats.retries(),
                (double) stats.scheduled(),
                (double) stats.dead());
    }

    private static void add(JsonFields queues, Stats.QueueStats queue) {
        double latency = queue.size() > 0 ? queue.latencySeconds() : 0;
        queues.json(queue.name(), JsonNumbers.of(List.of((double) queue.size(), latency)));
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
