package dev.mawashi.scrape;

import dev.mawashi.figures.Stats;
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

    static List<MetricSnapshot> of(Stats stats) {
        List<Stats.QueueStats> queues = stats.queues();
        List<Stats.QueueStats> shown = shown(queues);
        List<MetricSnapshot> all = new ArrayList<>();
        all.add(byQueue("depth", "jobs that wait", shown, Stats.QueueStats::size));
        all.add(
                byQueue(
                        "in_flight",
                        "jobs claimed and not settled",
                        shown,
                        Stats.QueueStats::inFlight));
        all.add(
                byQueue(
                        "latency_seconds",
                        "how long the next job to run has waited",
                        shown,
                        Stats.QueueStats::latencySeconds));
        all.add(
                byQueue(
                        "paused",
                        "1 where nothing is claimed",
                        shown,
                        one -> one.isPaused() ? 1 : 0));
        all.add(
                byQueue(
                        "served",
                        "1 where a live process has it among its queues",
                        shown,
                        one -> one.isServed() ? 1 : 0));
        all.add(gauge("queues", "queues that there are", queues.size()));
        all.add(gauge("enqueued_jobs", "jobs that wait in all queues", stats.enqueued()));
        all.add(gauge("scheduled_jobs", "jobs that wait for their time", stats.scheduled()));
        all.add(gauge("retry_jobs", "failed jobs that wait for their next run", stats.retries()));
        all.add(gauge("dead_jobs", "jobs in the dead set", stats.dead()));
        all.add(gauge("processes", "live processes, Sidekiq's and Mawashi's", stats.processes()));
        all.add(gauge("busy_jobs", "jobs that run, as of the last beats", stats.busy()));
        all.add(counter("fleet_runs", "runs that ended, in all processes", stats.processed()));
        all.add(counter("fleet_runs_failed", "runs that failed, in all processes", stats.failed()));
        return all;
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
