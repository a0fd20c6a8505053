package dev.mawashi.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ResqueReaderIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void clear() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private ResqueStats read() {
        return new ResqueReader(redis, new ResqueKeys("shop")).stats();
    }

    @Test
    void anEmptyRedisHasNone() {
        assertThat(read().queues()).isEmpty();
        assertThat(read().workers()).isEmpty();
    }

    @Test
    void queuesHaveTheirDepthAndThoseWhoServeThem() {
        redis.call("SADD", "shop:queues", "high", "slow", "mail_in", "odd");
        redis.call("RPUSH", "shop:queue:high", "{}", "{}");
        redis.call("SET", "shop:queue:odd", "no list");
        redis.call("SADD", "shop:workers", "host:1:high,slow", "host:2:*,!slow", "host:3:mail_*");
        redis.call("SET", "shop:worker:host:1:high,slow", "{}");
        redis.call("SET", "shop:worker:host:2:*,!slow:started", "2026-11-24 12:00:00 UTC");
        redis.call("HSET", "shop:workers:heartbeat", "host:2:*,!slow", "2026-11-24T12:00:00Z");

        assertThat(read().queues())
                .containsExactly(
                        new ResqueStats.Queue("high", 2, 2, true),
                        new ResqueStats.Queue("mail_in", 0, 2, true),
                        new ResqueStats.Queue("odd", 0, 1, false),
                        new ResqueStats.Queue("slow", 0, 1, true));
        assertThat(read().workers())
                .filteredOn(worker -> worker.id().equals("host:2:*,!slow"))
                .singleElement()
                .satisfies(worker -> {
                    assertThat(worker.queues()).containsExactly("*", "!slow");
                    assertThat(worker.started()).startsWith("2026");
                    assertThat(worker.beat()).endsWith("00Z");
                    assertThat(worker.isBusy()).isFalse();
                });
        assertThat(read().workers())
                .filteredOn(ResqueStats.Worker::isBusy)
                .extracting(ResqueStats.Worker::id)
                .containsExactly("host:1:high,slow");
    }
}
