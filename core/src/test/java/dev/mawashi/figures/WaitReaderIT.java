package dev.mawashi.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.FreshRedis;
import dev.mawashi.redis.RedisConnection;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class WaitReaderIT {
    @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

    private static final Instant NOW = Instant.parse("2025-02-04T08:04:59Z");

    private final RedisConnection redis = REDIS.server().connect();
    private final WaitReader reader = new WaitReader(redis, InstantSource.fixed(NOW));

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
