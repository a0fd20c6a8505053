package dev.mawashi.scrape;

import dev.mawashi.fleet.RestartView;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Figures of the generations of code that a server runs.
final class CodeFigures {
    private CodeFigures() {}

    static List<MetricSnapshot> of(RestartView code) {
        List<MetricSnapshot> all = new ArrayList<>();
        all.add(
                gauge(
                        "generation",
                        "start of the app's code that gets new jobs",
                        code.generation()));
        all.add(
                gauge(
                        "generations",
                        "generations of code that live",
                        Math.max(1, code.living().size())));
        all.add(
                gauge(
                        "old_code_busy_slots",
                        "jobs that run on code from before the last restart",
                        code.oldRuns()));
        all.add(
                gauge(
                        "restart_failed",
                        "1 after a restart that failed, until the next one begins",
                        code.state() == RestartView.State.FAILED ? 1 : 0));
        code.living().stream()
                .flatMap(one -> one.since().stream())
                .min(Comparator.naturalOrder())
                .ifPresent(since ->
                        all.add(
                                gauge(
                                        "oldest_code_timestamp_seconds",
                                        "when the oldest code that lives got its first jobs",
                                        since.getEpochSecond())));
        return all;
    }

    private static MetricSnapshot gauge(String name, String help, long value) {
        return GaugeSnapshot.builder()
                .name("mawashi_" + name)
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value((double) value).build())
                .build();
    }
}
