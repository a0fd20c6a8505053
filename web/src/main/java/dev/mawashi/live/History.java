package dev.mawashi.live;

import dev.mawashi.figures.ClassTable;
import dev.mawashi.figures.Stats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The last quarter of an hour sample by sample, and the last eight hours by minute, in a fixed
/// room. Safe for any thread.
///
/// Of minutes before the first sample it knows what Sidekiq's metrics have, once these are added. A
/// later gap is not filled from them: the sample that follows it counts all that ended meanwhile.
final class History {
    /// Samples that come quicker are not kept.
    static final double FINE_SECONDS = 2;

    private static final int FINE_ROWS = 450;
    private static final int COARSE_ROWS = 480;
    private static final int COLUMNS = Gauge.COUNT + 2 * QueueColumns.QUEUES_MAX;
    private static final int MINUTE = 60;

    /// What the clock may lack to the two seconds of a step.
    private static final double SLACK_SECONDS = 0.1;

    private static final Duration RATE_SPAN = Duration.ofSeconds(10);

    private final Ring fine = new Ring(FINE_ROWS, COLUMNS);
    private final Ring coarse = new Ring(COARSE_ROWS, COLUMNS);
    private final Minute gathering = new Minute(COLUMNS);
    private final QueueColumns queues = new QueueColumns();
    private @Nullable Stats last;
    private double lastTime;
    private final Pulse pulse = new Pulse(() -> Math.round(lastTime * 1e9), RATE_SPAN);

    /// Samples of a span of time, a column for each figure.
    ///
    /// @param times seconds since 1970, growing
    /// @param gauges a column each, in the order of `Gauge`
    /// @param queues the busiest first
    record Columns(List<Double> times, List<float[]> gauges, List<QueueColumn> queues) {}

    /// @param depth jobs that wait
    /// @param age seconds that the next of them has waited
    record QueueColumn(String name, float[] depth, float[] age) {}

    /// Takes a sample, unless it follows too quickly on the one before.
    ///
    /// @param time seconds since 1970; one that goes back is not taken
    synchronized void add(double time, Stats stats) {
        Stats before = last;
        if (before != null && time - lastTime < FINE_SECONDS - SLACK_SECONDS) {
            return;
        }
        float[] row = unknown();
        float span = before == null ? 0 : (float) (time - lastTime);
        if (before != null) {
            rates(row, before, stats, span);
        }
        row[Gauge.ENQUEUED.column()] = stats.enqueued();
        row[Gauge.BUSY.column()] = stats.busy();
        row[Gauge.RETRIES.column()] = stats.retries();
        row[Gauge.SCHEDULED.column()] = stats.scheduled();
        row[Gauge.DEAD.column()] = stats.dead();
        placeQueues(row, stats);
        gather(time, row, span);
        last = stats;
        lastTime = time;
        rate(row, pulse.rate(stats));
        fine.add(time, row);
    }

    private static float[] unknown() {
        float[] row = new float[COLUMNS];
        Arrays.fill(row, Float.NaN);
        return row;
    }

    /// Somebody may have set the counters back; then nothing is known until the next sample.
    private static void rates(float[] row, Stats before, Stats now, float span) {
        long failed = now.failed() - before.failed();
        long ended = now.processed() - before.processed();
        if (failed >= 0 && ended >= 0) {
            row[Gauge.FAILED.column()] = failed / span;
            row[Gauge.OK.column()] = Math.max(0, ended - failed) / span;
        }
    }

    /// What ended since the sample before jumps with each time that a process writes its counters.
    private static void rate(float[] row, Pulse.Rate rate) {
        if (rate.isKnown()) {
            row[Gauge.FAILED.column()] = (float) rate.failed();
            row[Gauge.OK.column()] = (float) Math.max(0, rate.processed() - rate.failed());
        }
    }

    private void placeQueues(float[] row, Stats stats) {
        for (QueueColumns.Placed placed : queues.place(stats.queues())) {
            int depth = QueueColumns.depth(placed.place());
            int age = QueueColumns.age(placed.place());
            if (placed.isNew()) {
                for (int column : List.of(depth, age)) {
                    fine.clear(column);
                    coarse.clear(column);
                    gathering.clear(column);
                }
            }
            row[depth] = placed.queue().size();
            row[age] = placed.queue().size() > 0 ? (float) placed.queue().latencySeconds() : 0;
        }
    }

    private void gather(double time, float[] row, float span) {
        long minute = (long) (time / MINUTE);
        if (minute != gathering.minute()) {
            if (gathering.minute() >= 0) {
                coarse.add((double) gathering.minute() * MINUTE, gathering.values());
            }
            gathering.begin(minute);
        }
        gathering.add(row, span);
    }

    /// Takes what ended in minutes before the first sample, as many of the latest as there is room
    /// for; the other figures of these minutes stay unknown. No minute is taken twice.
    ///
    /// @param minutes whole ones, oldest first
    synchronized void addPast(List<ClassTable.Step> minutes) {
        for (ClassTable.Step minute : minutes.reversed()) {
            if (minute.second() < firstSecond()) {
                float[] row = unknown();
                row[Gauge.FAILED.column()] = (float) minute.failed() / MINUTE;
                row[Gauge.OK.column()] =
                        (float) Math.max(0, minute.processed() - minute.failed()) / MINUTE;
                coarse.addFirst((double) minute.second(), row);
            }
        }
    }

    /// At which the first minute of which anything is known begins, since 1970.
    private double firstSecond() {
        if (coarse.size() > 0) {
            return coarse.time(0);
        }
        return gathering.minute() < 0
                ? Double.POSITIVE_INFINITY
                : (double) gathering.minute() * MINUTE;
    }

    /// What there is of the last `span`: by sample up to a quarter of an hour, else by minute.
    ///
    /// @param now seconds since 1970
    /// @param queuesMax how many queues, those that had most to do
    synchronized Columns last(Duration span, double now, int queuesMax) {
        Ring ring = span.compareTo(Duration.ofMinutes(15)) <= 0 ? fine : coarse;
        int from = ring.from(now - span.toSeconds());
        List<Double> times = IntStream.range(from, ring.size()).mapToObj(ring::time).toList();
        List<float[]> gauges = new ArrayList<>();
        for (int column = 0; column < Gauge.COUNT; column++) {
            gauges.add(column(ring, column, from));
        }
        List<QueueColumn> busiest = new ArrayList<>();
        for (Map.Entry<String, Integer> queue : queues.places().entrySet()) {
            busiest.add(
                    new QueueColumn(
                            queue.getKey(),
                            column(ring, QueueColumns.depth(queue.getValue()), from),
                            column(ring, QueueColumns.age(queue.getValue()), from)));
        }
        busiest.sort(
                Comparator.comparingDouble((QueueColumn queue) -> peak(queue.depth()))
                        .thenComparingDouble(queue -> peak(queue.age()))
                        .reversed()
                        .thenComparing(QueueColumn::name));
        return new Columns(times, gauges, busiest.subList(0, Math.min(queuesMax, busiest.size())));
    }

    private static float[] column(Ring ring, int column, int from) {
        float[] values = new float[ring.size() - from];
        for (int row = 0; row < values.length; row++) {
            values[row] = ring.value(column, from + row);
        }
        return values;
    }

    private static double peak(float[] values) {
        double peak = 0;
        for (float value : values) {
            peak = Float.isNaN(value) ? peak : Math.max(peak, value);
        }
        return peak;
    }
}
