package dev.mawashi.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.figures.MetricsTable;
import dev.mawashi.job.Outcome;
import dev.mawashi.metrics.MetricsFlush;
import dev.mawashi.metrics.RunTallies;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.MetricsShape;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What of a child's runs comes into Sidekiq's metrics.
class ChildTallyIT {
    private static final Instant NOW = Instant.parse("2025-02-04T08:04:59Z");
    private static final Outcome FAILED = new Outcome.Failed("RuntimeError", "x", List.of());
    private static final long MILLI = 1_000_000;

    private final RunTallies all = new RunTallies(true);
    private final ChildTally tally = new ChildTally(all, "mri");

    /// A dead child's last runs have no time. With the others of their class they would make its
    /// mean too short, and stand among the quickest.
    @Test
    void aSuccessOfUnknownLengthIsLeftOutAndAFailureIsNot() {
        tally.open();
        tally.count("OkJob", Outcome.SUCCEEDED, 0);
        tally.count("OkJob", Outcome.SUCCEEDED, 70 * MILLI);
        tally.count("UntoldJob", Outcome.SUCCEEDED, 0);
        tally.count("BadJob", FAILED, 0);
        tally.count(null, Outcome.SUCCEEDED, MILLI);
        tally.close();
        tally.count("OkJob", Outcome.SUCCEEDED, 70 * MILLI);

        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection redis = server.connect()) {
            flushTo(server);

            Map<String, String> counts = new TreeMap<>(texts(redis, "HGETALL", "j|250204|8:04"));
            // By the two readings of a clock, which may have been just before and after a tick.
            assertThat(counts.remove("OkJob|ms")).isIn("69", "70", "71");
            assertThat(counts).isEqualTo(Map.of("OkJob|p", "1", "BadJob|p", "1", "BadJob|f", "1"));
            assertThat(redis.call("EXISTS", "h|UntoldJob-4-8:4", "h|BadJob-4-8:4")).isEqualTo(0L);
            // The fifth bucket is that of 65 to 100 ms.
            List<?> buckets =
                    (List<?>)
                            Objects.requireNonNull(
                                    redis.call(
                                            "BITFIELD_RO",
                                            "h|OkJob-4-8:4",
                                            "GET",
                                            "u16",
                                            "#0",
                                            "GET",
                                            "u16",
                                            "#4"));
            assertThat(buckets).isEqualTo(List.of(0L, 1L));
        }
    }

    private void flushTo(RedisServerForTests server) {
        RedisBroker broker = new RedisBroker(server.address(), DeadLimits.DEFAULT);
        MetricsFlush flush =
                new MetricsFlush(
                        new MetricsTable(
                                broker.connect("metrics"), MetricsShape.EIGHT, "box:42:abcdef"),
                        all,
                        InstantSource.fixed(NOW),
                        new Outage(new RecordedEvents(), System::nanoTime));
        flush.start();
        flush.stop(Duration.ofSeconds(20));
    }

    private static Map<String, String> texts(RedisConnection redis, String... command) {
        List<?> values = (List<?>) Objects.requireNonNull(redis.call(command));
        Map<String, String> texts = new TreeMap<>();
        for (int i = 0; i < values.size(); i += 2) {
            texts.put(
                    new String((byte[]) values.get(i), UTF_8),
                    new String((byte[]) values.get(i + 1), UTF_8));
        }
        return texts;
    }
}
