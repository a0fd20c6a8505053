package dev.mawashi.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class WaitReaderIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Instant NOW = Instant.parse("2025-02-04T08:04:59Z");

    private final RedisConnection redis = SERVER.connect();
    private final WaitReader reader = new WaitReader(redis, InstantSource.fixed(NOW));

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void empty() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void theMinutesAreAddedUp() {
        redis.call("HSET", "mw:waits|250204|8:04", "0", "90", "4", "5");
        redis.call("HSET", "mw:waits|250204|7:50", "4", "4", "25", "1");
        redis.call("HSET", "mw:waits|250204|7:49", "0", "1000");

        RunTimes waits = reader.waits();
        assertThat(waits.total()).isEqualTo(100);
        assertThat(waits.percentileMillis(50)).hasValue(20);
        assertThat(waits.percentileMillis(95)).hasValue(100);
        assertThat(waits.percentileMillis(100)).hasValue(RunTimes.BEYOND);
    }

    @Test
    void whatIsNoCountIsLeftOut() {
        redis.call("SET", "mw:waits|250204|8:04", "x");
        redis.call("HSET", "mw:waits|250204|8:03", "26", "1", "x", "1", "0", "x", "1", "-3");

        assertThat(reader.waits().total()).isZero();
        assertThat(reader.waits().percentileMillis(50)).isEmpty();
    }
}
