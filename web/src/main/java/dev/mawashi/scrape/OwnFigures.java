package dev.mawashi.scrape;

import dev.mawashi.figures.MetricsBatch.ClassRuns;
import dev.mawashi.metrics.EventTally.Counted;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.scrape.ProcessFigures.Pool;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Figures of one server. Sum them over all servers.
final class OwnFigures {
    /// Of a runner's further classes, those that ran least are counted together, as the class
    /// `other`.
    static final int CLASSES_MAX = 200;

    private static final String OTHER = "other";
    private static final double NANOS_A_SECOND = 1e9;
    private static final double MILLIS_A_SECOND = 1e3;

    private static final double[] BOUNDS =
            Stream.concat(
                            RunTallies.boundsMillis().stream()
                                    .map(millis -> millis / MILLIS_A_SECOND),
                            Stream.of(Double.POSITIVE_INFINITY))
                    .mapToDouble(Double::doubleValue)
                    .toArray();

    private OwnFigures() {}

    static List<MetricSnapshot> of(ProcessFigures own) {
        List<MetricSnapshot> all = new ArrayList<>();
        all.add(
                GaugeSnapshot.builder()
                        .name("mawashi_ready")
                        .help("1 when this server can run jobs now")
                        .dataPoint(
                                GaugeDataPointSnapshot.builder()
                                        .value(own.isReady() ? 1 : 0)
                                        .build())
                        .build());
        all.add(byPool("slots", "jobs that run at once, at most", own.pools(), Pool::slots));
        all.add(byPool("busy_slots", "jobs that run now", own.pools(), Pool::busy));
        all.add(runs(own.pools()));
        all.add(runSeconds(own.pools()));
        Map<String, List<ClassRuns>> classes = new TreeMap<>();
        own.classes().forEach((runner, runs) -> classes.put(runner, capped(runs)));
        all.add(histogram(classes));
        all.add(failures(classes));
        for (Counted one : Counted.values()) {
            all.add(
                    one == Counted.EXPIRED
                            ? expired(own.events().expired())
                            : event(one, own.events().count(one)));
        }
        all.addAll(own.alarms().all());
        own.code().ifPresent(code -> all.addAll(CodeFigures.of(code)));
        return all;
    }

    private static MetricSnapshot byPool(
            String name, String help, List<Pool> pools, ToDoubleFunction<Pool> value) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name("mawashi_" + name).help(help);
        for (Pool pool : pools) {
            gauge.dataPoint(
                    GaugeDataPointSnapshot.builder()
                            .labels(labels(pool))
                            .value(value.applyAsDouble(pool))
                            .build());
        }
        return gauge.build();
    }

    private static Labels labels(Pool pool) {
        return Labels.of("capsule", pool.capsule(), "runner", pool.runner());
    }

    private static MetricSnapshot runs(List<Pool> pools) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder().name("mawashi_runs").help("runs that ended");
        for (Pool pool : pools) {
            counter.dataPoint(ended(pool, "succeeded", pool.ended() - pool.failed()));
            counter.dataPoint(ended(pool, "failed", pool.failed()));
        }
        return counter.build();
    }

    private static CounterDataPointSnapshot ended(Pool pool, String outcome, long number) {
        return CounterDataPointSnapshot.builder()
                .labels(labels(pool).merge(Labels.of("outcome", outcome)))
                .value((double) Math.max(0, number))
                .build();
    }

    private static MetricSnapshot runSeconds(List<Pool> pools) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder()
                        .name("mawashi_busy_seconds")
                        .unit(Unit.SECONDS)
                        .help("how long all runs that ended took");
        for (Pool pool : pools) {
            counter.dataPoint(
                    CounterDataPointSnapshot.builder()
                            .labels(labels(pool))
                            .value(pool.nanos() / NANOS_A_SECOND)
                            .build());
        }
        return counter.build();
    }

    private static MetricSnapshot histogram(Map<String, List<ClassRuns>> classes) {
        HistogramSnapshot.Builder histogram =
                HistogramSnapshot.builder()
                        .name("mawashi_run_seconds")
                        .unit(Unit.SECONDS)
                        .help("how long runs that succeeded took");
        classes.forEach((runner, runs) ->
                runs.forEach(one ->
                        histogram.dataPoint(
                                HistogramDataPointSnapshot.builder()
                                        .labels(labels(one, runner))
                                        .classicHistogramBuckets(
                                                ClassicHistogramBuckets.of(
                                                        BOUNDS,
                                                        one.histogram().toArray(Long[]::new)))
                                        .sum(one.millis() / MILLIS_A_SECOND)
                                        .build())));
        return histogram.build();
    }

    private static Labels labels(ClassRuns one, String runner) {
        return Labels.of("class", LabelText.of(one.jobClass()), "runner", runner);
    }

    private static MetricSnapshot failures(Map<String, List<ClassRuns>> classes) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder()
                        .name("mawashi_run_failures")
                        .help("runs that did not succeed");
        classes.forEach((runner, runs) ->
                runs.forEach(one ->
                        counter.dataPoint(
                                CounterDataPointSnapshot.builder()
                                        .labels(labels(one, runner))
                                        .value((double) one.failed())
                                        .build())));
        return counter.build();
    }

    private static List<ClassRuns> capped(List<ClassRuns> classes) {
        if (classes.size() <= CLASSES_MAX) {
            return LabelText.distinct(classes, ClassRuns::jobClass);
        }
        List<ClassRuns> most =
                classes.stream()
                        .sorted(Comparator.comparingLong(ClassRuns::processed).reversed())
                        .toList();
        Map<String, ClassRuns> kept = new LinkedHashMap<>();
        for (ClassRuns one : most) {
            String name = kept.size() < CLASSES_MAX - 1 ? one.jobClass() : OTHER;
            kept.merge(name, renamed(one, name), OwnFigures::sum);
        }
        return LabelText.distinct(List.copyOf(kept.values()), ClassRuns::jobClass);
    }

    private static ClassRuns renamed(ClassRuns one, String name) {
        return new ClassRuns(name, one.processed(), one.failed(), one.millis(), one.histogram());
    }

    private static ClassRuns sum(ClassRuns a, ClassRuns b) {
        List<Long> buckets = new ArrayList<>(a.histogram());
        for (int i = 0; i < buckets.size(); i++) {
            buckets.set(i, buckets.get(i) + b.histogram().get(i));
        }
        return new ClassRuns(
                a.jobClass(),
                a.processed() + b.processed(),
                a.failed() + b.failed(),
                a.millis() + b.millis(),
                buckets);
    }

    private static MetricSnapshot expired(Map<String, Long> classes) {
        CounterSnapshot.Builder counter =
                CounterSnapshot.builder()
                        .name("mawashi_" + Counted.EXPIRED.word())
                        .help(Counted.EXPIRED.help());
        for (Map.Entry<String, Long> one :
                LabelText.distinct(List.copyOf(classes.entrySet()), Map.Entry::getKey)) {
            counter.dataPoint(
                    CounterDataPointSnapshot.builder()
                            .labels(Labels.of("class", LabelText.of(one.getKey())))
                            .value((double) one.getValue())
                            .build());
        }
        return counter.build();
    }

    private static MetricSnapshot event(Counted one, long number) {
        return CounterSnapshot.builder()
                .name("mawashi_" + one.word())
                .help(one.help())
                .dataPoint(CounterDataPointSnapshot.builder().value((double) number).build())
                .build();
    }
}
