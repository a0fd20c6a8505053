package dev.mawashi.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mawashi.figures.MetricsBatch;
import dev.mawashi.figures.MetricsTable;
import dev.mawashi.fleet.ProcessTable;
import dev.mawashi.fleet.ResqueWorkers;
import dev.mawashi.redis.FreshRedis;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.MetricsShape;
import dev.mawashi.wire.ResqueKeys;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A counter that holds no number is told of, and no other one counts less or more for it.
class CountersIT {
    @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

    private static final Instant NOW = Instant.parse("2025-02-04T08:04:59Z");
    private static final String MINUTE = "j|250204|8:04";
    private static final String WORKER = "mawashi@vm:77:high";

    private static void assertRefused(ThrowingCallable count) {
        RedisFailure failure = catchThrowableOfType(RedisFailure.class, count);
        assertThat(failure).hasMessageContaining("not an integer");
        assertThat(failure.isOfOneCommand()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "stat:processed",
                "stat:processed:2025-02-04",
                "stat:failed",
                "stat:failed:2025-02-04"
            })
    void sidekiqsTotalsAndDays(String odd) {
        REDIS.call("SET", odd, "many");
        try (ProcessTable table = new ProcessTable(REDIS.server().connect())) {
            assertRefused(() -> table.count(3, 2, NOW));
        }
        Map<String, String> counters =
                new TreeMap<>(
                        Map.of(
                                "stat:processed", "3",
                                "stat:processed:2025-02-04", "3",
                                "stat:failed", "2",
                                "stat:failed:2025-02-04", "2"));
        counters.put(odd, "many");
        counters.forEach(
                (key, count) -> assertThat(REDIS.text("GET", key)).as(key).isEqualTo(count));
    }

    @ParameterizedTest
    @ValueSource(strings = {"OkJob|p", "OkJob|f", "OkJob|ms"})
    void sidekiqsMetrics(String odd) {
        REDIS.call("HSET", MINUTE, odd, "many");
        MetricsBatch batch =
                new MetricsBatch(
                        1,
                        NOW,
                        "jruby",
                        List.of(new MetricsBatch.ClassRuns("OkJob", 3, 1, 40, List.of(2L))));
        try (MetricsTable table =
                new MetricsTable(REDIS.server().connect(), MetricsShape.EIGHT, "box:42:abc")) {
            assertRefused(() -> table.add(batch));
            // Its number tells that it was added.
            table.add(batch);
        }
        Map<String, String> counts =
                new TreeMap<>(Map.of("OkJob|p", "3", "OkJob|f", "1", "OkJob|ms", "40"));
        counts.put(odd, "many");
        counts.forEach((field, count) ->
                assertThat(REDIS.text("HGET", MINUTE, field)).as(field).isEqualTo(count));
        assertThat(REDIS.text("HGET", "mw:runs|250204|8:04", "OkJob|jruby")).isEqualTo("3");
        assertThat(REDIS.call("BITFIELD_RO", "h|OkJob-4-8:4", "GET", "u16", "#0"))
                .isEqualTo(List.of(2L));
    }

    @Test
    void resquesTotalAndItsWorkers() {
        ResqueKeys keys = ResqueKeys.DEFAULT;
        for (String odd : List.of(keys.statProcessed(), keys.statProcessed(WORKER))) {
            REDIS.server().flushAll();
            REDIS.call("SET", odd, "many");
            TreeMap<String, String> workers = new TreeMap<>(Map.of(WORKER, "{}"));
            try (ResqueWorkers table = new ResqueWorkers(REDIS.server().connect(), keys)) {
                assertRefused(
                        () -> table.beat(new ResqueWorkers.Beat(3, "now", "before", workers)));
            }
            Map<String, String> written =
                    new TreeMap<>(
                            Map.of(
                                    keys.statProcessed(), "3",
                                    keys.statProcessed(WORKER), "3",
                                    keys.worker(WORKER), "{}",
                                    keys.workerStarted(WORKER), "before"));
            written.put(odd, "many");
            written.forEach(
                    (key, value) -> assertThat(REDIS.text("GET", key)).as(key).isEqualTo(value));
        }
    }
}
