package dev.mawashi.scrape;

import dev.mawashi.figures.Stats;
import dev.mawashi.sizing.WantedSize;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Figures of all processes and queues, from Redis. Each server reports the same, so do not sum
/// them.
final class FleetFigures {
    /// Of more queues, the first by name have their own figures.
    static final int QUEUES_MAX = 1_000;

    private FleetFigures() {}

    static List<MetricSnapshot> of(FleetReading fleet) {
        Stats stats = fleet.stats();
        List<Stats.QueueStats> queues = stats.queues();
        List<MetricSnapshot> all = new ArrayList<>(byQueue(shown(queues)));
        all.add(gauge("queues", "queues that there are", queues.size()));
        all.add(gauge("enqueued_jobs", "jobs that wait in all queues", stats.enqueued()));
        all.add(gauge("scheduled_jobs", "jobs that wait for their time", stats.scheduled()));
        all.add(gauge("retry_jobs", "failed jobs that wait for their next run", stats.retries()));
        all.add(gauge("dead_jobs", "jobs in the dead set", stats.dead()));
        all.add(gauge("processes", "live processes, Sidekiq's and Mawashi's", stats.processes()));
        all.add(sizes(fleet.sizes()));
        all.add(gauge("busy_jobs", "jobs that run, as of the last beats", stats.busy()));
        all.add(counter("fleet_runs", "runs that ended, in all processes", stats.processed()));
        all.add(counter("fleet_runs_failed", "runs that failed, in all processes", stats.failed()));
        return all;
    }

    private static List<MetricSnapshot> byQueue(List<Stats.QueueStats> shown) {
        return List.of(
                byQueue("depth", "jobs that wait", shown, Stats.QueueStats::size),
                byQueue(
                        "in_flight",
                        "jobs claimed and not settled",
                        shown,
                        Stats.QueueStats::inFlight),
                byQueue(
                        "latency_seconds",
                        "how long the next job to run has waited",
                        shown,
                        Stats.QueueStats::latencySeconds),
                byQueue(
                        "paused",
                        "1 where nothing is claimed",
                        shown,
                        one -> one.isPaused() ? 1 : 0),
                byQueue(
                        "served",
                        "1 where a live process has it among its queues",
                        shown,
                        one -> one.isServed() ? 1 : 0));
    }

    private static List<Stats.QueueStats> shown(List<Stats.QueueStats> queues) {
        List<Stats.QueueStats> first = queues.subList(0, Math.min(QUEUES_MAX, queues.size()));
        return LabelText.distinct(first, Stats.QueueStats::name);
    }

    private static MetricSnapshot byQueue(
            String name,
            String help,
            List<Stats.QueueStats> queues,
            ToDoubleFunction<Stats.QueueStats> value) {
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name("mawashi_queue_" + name).help(help);
        for (Stats.QueueStats queue : queues) {
            gauge.dataPoint(
                    GaugeSnapshot.GaugeDataPointSnapshot.builder()
                            .labels(Labels.of("queue", LabelText.of(queue.name())))
                            .value(value.applyAsDouble(queue))
                            .build());
        }
        return gauge.build();
    }

    /// A number that is unknown is left out: 0 would end the last process.
    private static MetricSnapshot sizes(List<WantedSize> sizes) {
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder()
                        .name("mawashi_scale_processes")
                        .help("processes that the queues need now, by those that one process has");
        for (WantedSize size : LabelText.distinct(sizes, FleetFigures::queues)) {
            size.wanted()
                    .ifPresent(wanted ->
                            gauge.dataPoint(
                                    GaugeSnapshot.GaugeDataPointSnapshot.builder()
                                            .labels(Labels.of("queues", LabelText.of(queues(size))))
                                            .value((double) wanted)
                                            .build()));
        }
        return gauge.build();
    }

    private static String queues(WantedSize size) {
        return String.join(",", size.pool().queues());
    }

    private static MetricSnapshot gauge(String name, String help, long value) {
        return GaugeSnapshot.builder()
                .name("mawashi_" + name)
                .help(help)
                .dataPoint(
                        GaugeSnapshot.GaugeDataPointSnapshot.builder()
                                .value((double) value)
                                .build())
                .build();
    }

    /// A counter that others may set, as `Sidekiq::Stats#reset` does, to anything.
    private static MetricSnapshot counter(String name, String help, long value) {
        return CounterSnapshot.builder()
                .name("mawashi_" + name)
                .help(help)
                .dataPoint(
                        CounterSnapshot.CounterDataPointSnapshot.builder()
                                .value((double) Math.max(0, value))
                                .build())
                .build();
    }
}
