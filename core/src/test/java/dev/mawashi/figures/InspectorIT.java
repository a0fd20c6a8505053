package dev.mawashi.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.Claiming;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.Leasing;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.fleet.ProcessReader;
import dev.mawashi.fleet.ResqueWorkReader;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.Keys;
import dev.mawashi.wire.ResqueKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InspectorIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Instant NOW = Instant.ofEpochSecond(1_795_225_700L);

    private final RedisConnection redis = SERVER.connect();
    private final Inspector inspector = new Inspector(SERVER.connect(), InstantSource.fixed(NOW));

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        inspector.close();
        redis.close();
    }

    private Stats.QueueStats only() {
        List<Stats.QueueStats> queues = inspector.stats().queues();
        assertThat(queues).hasSize(1);
        return queues.getFirst();
    }

    private void push(String payload) {
        redis.call("SADD", "queues", "q");
        redis.call("RPUSH", "queue:q", payload);
    }

    /// Of 60 queues the heads alone would take 120 MB.
    @Test
    void largeJobsAndRecordsStayInRedis() {
        String large = "x".repeat(2 << 20);
        redis.call("SADD", "queues", "q0");
        push0(large);
        for (int i = 1; i < 60; i++) {
            redis.call("SADD", "queues", "q" + i);
            redis.call("COPY", "queue:q0", "queue:q" + i);
        }
        for (String process : List.of("a", "b", "c")) {
            redis.call("SADD", "processes", process);
            redis.call("HSET", process, "busy", "2", "info", large, "beat", "1795225700");
            redis.call("HSET", process + ":work", "0", large, "1", "{\"queue\":\"q1\"}");
            redis.call("SADD", "resque:workers", process);
            redis.call("SET", "resque:worker:" + process, large);
        }
        long before = sent();
        Stats stats = inspector.stats();
        assertThat(stats.queues()).hasSize(60).allMatch(queue -> queue.latencySeconds() == 10);
        assertThat(stats.busy()).isEqualTo(6);
        ProcessReader processes = new ProcessReader(redis);
        processes.processes();
        assertThat(processes.work()).hasSize(6).anyMatch(one -> one.entry().queue().equals("q1"));
        assertThat(new ResqueWorkReader(redis, new ResqueKeys("resque")).work()).hasSize(3);
        assertThat(sent() - before).isLessThan(1 << 20);
    }

    private void push0(String text) {
        redis.call(
                "LPUSH",
                "queue:q0",
                "{\"args\":[{\"enqueued_at\":1},\""
                        + text
                        + "\"],\"enqueued_at\":1795225690.0,\"a\":{}}");
    }

    private long sent() {
        byte[] stats = (byte[]) Objects.requireNonNull(redis.call("INFO", "stats"));
        Matcher bytes =
                Pattern.compile("total_net_output_bytes:(\\d+)")
                        .matcher(new String(stats, StandardCharsets.UTF_8));
        assertThat(bytes.find()).isTrue();
        return Long.parseLong(bytes.group(1));
    }

    @Test
    void anEmptyServerHasNothing() {
        assertThat(inspector.stats()).isEqualTo(new Stats(0, 0, 0, 0, 0, 0, 0, List.of()));
    }

    @Test
    void theServerTellsItsVersion() {
        assertThat(inspector.serverVersion()).matches("\\d+\\.\\d+\\.\\d+");
    }

    @Test
    void countersAndSetsAreAddedUp() {
        redis.call("MSET", "stat:processed", "12", "stat:failed", "5");
        redis.call("ZADD", "schedule", "1", "a", "2", "b");
        redis.call("ZADD", "retry", "1", "a");
        redis.call("ZADD", "dead", "1", "a", "2", "b", "3", "c");
        redis.call("SADD", "processes", "live:1:a", "live:2:b", "ghost:3:c");
        redis.call("HSET", "live:1:a", "busy", "3");
        redis.call("HSET", "live:2:b", "busy", "4");

        assertThat(inspector.stats()).isEqualTo(new Stats(12, 5, 2, 1, 3, 2, 7, List.of()));
    }

    @Test
    void aQueueShowsWhatWaitsAndWhatIsInFlight() {
        push("{\"jid\":\"3\"}");
        push("{\"jid\":\"2\"}");
        push("{\"jid\":\"1\"}");
        RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
        try (Leasing leasing = broker.leasing();
                Claiming claiming = broker.claiming()) {
            leasing.open("me", List.of("q"), Duration.ofMinutes(5));
            claiming.claim(List.of("q"), "me", 1, 1_000);
        }
        redis.call("HSET", "mw:{queue:q}:inflight:me", "floor", "1");
        redis.call("LMOVE", "queue:q", "mw:{queue:q}:arrivals", "RIGHT", "LEFT");

        assertThat(only()).isEqualTo(new Stats.QueueStats("q", 2, 1, 0, false, false, true));
        assertThat(inspector.stats().enqueued()).isEqualTo(2);
    }

    @Test
    void manyQueuesAreReadInAFewRoundTripsAndEachHasItsOwn() {
        for (int i = 0; i < 120; i++) {
            String queue = "q%03d".formatted(i);
            redis.call("SADD", "queues", queue);
            for (int job = 0; job < i % 3; job++) {
                redis.call("LPUSH", "queue:" + queue, "{}");
            }
            for (int owner = 0; owner < i % 4; owner++) {
                redis.call("ZADD", Keys.leases(queue), "1", "o" + owner);
                redis.call("HSET", Keys.inflight(queue, "o" + owner), "1", "{}", "floor", "0");
            }
        }
        long before = reads();
        List<Stats.QueueStats> queues = inspector.stats().queues();

        // One per queue would be 120; a long question may take Redis several reads.
        assertThat(reads() - before).isLessThan(60);
        assertThat(queues).hasSize(120);
        for (int i = 0; i < 120; i++) {
            assertThat(queues.get(i).size()).isEqualTo(i % 3);
            assertThat(queues.get(i).inFlight()).isEqualTo(i % 4);
        }
    }

    /// How often Redis has read from a connection.
    private long reads() {
        String info = new String((byte[]) redis.call("INFO", "stats"), StandardCharsets.UTF_8);
        return info.lines()
                .filter(line -> line.startsWith("total_reads_processed:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void latencyIsTheAgeOfTheNextJobInEitherStyle() {
        push("{\"enqueued_at\":1795225690.5}");
        assertThat(only().latencySeconds()).isEqualTo(9.5);

        push("{\"enqueued_at\":1795225698000}");
        assertThat(only().latencySeconds()).isEqualTo(2);
    }

    @Test
    void whatTellsNoAgeHasNone() {
        for (String odd :
                List.of(
                        "no json",
                        "{}",
                        "{\"enqueued_at\":null}",
                        "{\"enqueued_at\":\"x\"}",
                        "{\"enqueued_at\":9999999999999}")) {
            push(odd);
            assertThat(only().latencySeconds()).as(odd).isZero();
        }
    }

    @Test
    void aPausedQueueIsToldFromTheOthers() {
        push("{}");
        assertThat(only().isPaused()).isFalse();

        redis.call("SADD", "paused", "q");

        assertThat(only().isPaused()).isTrue();
    }

    @Test
    void keysOfWrongTypesCountAsNothing() {
        redis.call("MSET", "schedule", "x", "queue:q", "x", "stat:processed", "many");
        redis.call("RPUSH", "stat:failed", "x");
        redis.call("SADD", "queues", "q");
        redis.call("SADD", "processes", "queue:q", "odd");
        redis.call("HSET", "odd", "busy", "9999999999999999999");

        Stats stats = inspector.stats();

        assertThat(stats.scheduled() + stats.processed() + stats.failed() + stats.busy()).isZero();
        assertThat(stats.processes()).isOne();
        assertThat(only()).isEqualTo(new Stats.QueueStats("q", 0, 0, 0, false, false, false));
    }
}
