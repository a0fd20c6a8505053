package dev.mawashi.scrape;

import dev.mawashi.http.Answer;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Answers a scrape: the fleet, what this process has run, and its JVM.
public final class Exposition {
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    private final PrometheusRegistry jvm = new PrometheusRegistry();

    public Exposition() {
        JvmMetrics.builder().register(jvm);
    }

    /// @param fleet empty when Redis does not answer: the scrape then has what this process knows
    /// @param own empty where this process runs no jobs
    public Answer answer(Optional<FleetReading> fleet, Optional<ProcessFigures> own) {
        List<MetricSnapshot> all = new ArrayList<>();
        all.add(redisUp(fleet.isPresent()));
        fleet.ifPresent(reading -> all.addAll(FleetFigures.of(reading)));
        own.ifPresent(figures -> all.addAll(OwnFigures.of(figures)));
        jvm.scrape().forEach(all::add);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            writer.write(text, new MetricSnapshots(all), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Answer(
                200, PrometheusTextFormatWriter.CONTENT_TYPE, text.toByteArray(), Map.of());
    }

    private static MetricSnapshot redisUp(boolean isUp) {
        return GaugeSnapshot.builder()
                .name("mawashi_redis_up")
                .help("1 if Redis answered in time with the figures of the fleet")
                .dataPoint(
                        GaugeSnapshot.GaugeDataPointSnapshot.builder().value(isUp ? 1 : 0).build())
                .build();
    }
}
