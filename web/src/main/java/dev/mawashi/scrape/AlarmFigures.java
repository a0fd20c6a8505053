package dev.mawashi.scrape;

import dev.mawashi.alarm.Alarm;
import dev.mawashi.alarm.Reading;
import dev.mawashi.alarm.RedisReading;
import dev.mawashi.fleet.AlarmView;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The alarms of one server, and what they were judged by last as far as `jvm_*` has it not.
///
/// @param standing those that stand
/// @param last empty before the first measure
public record AlarmFigures(List<AlarmView> standing, Optional<Reading> last) {
    private static final double NANOS_A_SECOND = 1e9;

    /// Before a server measures.
    public static final AlarmFigures NONE = new AlarmFigures(List.of(), Optional.empty());

    public AlarmFigures {
        standing = List.copyOf(standing);
    }

    List<MetricSnapshot> all() {
        List<MetricSnapshot> all = new ArrayList<>(List.of(alarms()));
        last.ifPresent(reading ->
                all.add(
                        gauge(
                                "children_memory_bytes",
                                "memory of all child processes",
                                1_024.0
                                        * (double)
                                                reading.children().values().stream()
                                                        .mapToLong(Reading.Child::kib)
                                                        .sum())));
        last.flatMap(Reading::redis).ifPresent(redis -> addRedis(all, redis));
        return all;
    }

    private MetricSnapshot alarms() {
        var names = standing.stream().map(AlarmView::name).collect(Collectors.toSet());
        GaugeSnapshot.Builder gauge =
                GaugeSnapshot.builder().name("mawashi_alarm").help("1 while the alarm stands");
        for (Alarm alarm : Alarm.values()) {
            gauge.dataPoint(
                    GaugeDataPointSnapshot.builder()
                            .labels(Labels.of("alarm", alarm.word()))
                            .value(names.contains(alarm.word()) ? 1 : 0)
                            .build());
        }
        return gauge.build();
    }

    private static void addRedis(List<MetricSnapshot> all, RedisReading redis) {
        all.add(
                gauge(
                        "redis_round_trip_seconds",
                        "the last round trip to Redis and back",
                        redis.roundTrip().toNanos() / NANOS_A_SECOND));
        all.add(gauge("suspect_jobs", "jobs that wait to be run alone", (double) redis.suspects()));
        all.add(gauge("dead_jobs_max", "jobs that the dead set keeps", (double) redis.deadMax()));
        redis.certificateEnd()
                .ifPresent(end ->
                        all.add(
                                gauge(
                                        "redis_certificate_end_timestamp_seconds",
                                        "when the certificate of Redis lapses",
                                        (double) end.getEpochSecond())));
    }

    private static MetricSnapshot gauge(String name, String help, double value) {
        return GaugeSnapshot.builder()
                .name("mawashi_" + name)
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
                .build();
    }
}
