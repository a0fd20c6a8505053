package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.ProcessTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Processes that ended without saying so leave the set of processes.
class GhostsIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
    private final RedisConnection redis = SERVER.connect();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void disconnect() {
        redis.close();
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    private long secondsToLive(String key) {
        return redis.call("TTL", key) instanceof Long seconds ? seconds : 0;
    }

    @Test
    void ghostsAreRemovedOnceAMinuteByAnyProcess() {
        redis.call("SADD", "processes", "ghost:1:a", "live:2:b");
        redis.call("HSET", "live:2:b", "info", "{}");
        try (ProcessTable table = new ProcessTable(broker.connect("beat"))) {
            table.removeGhosts();
            assertThat(redis.call("SISMEMBER", "processes", "ghost:1:a")).isEqualTo(0L);
            assertThat(redis.call("SISMEMBER", "processes", "live:2:b")).isEqualTo(1L);
            assertThat(secondsToLive("process_cleanup")).isBetween(31L, 60L);

            redis.call("SADD", "processes", "ghost:1:a");
            table.removeGhosts();

            assertThat(redis.call("SISMEMBER", "processes", "ghost:1:a")).isEqualTo(1L);
        }
    }

    /// Among them names that are no process's, and a lock that nobody would ever take off.
    @Test
    void aHundredThousandGhostsAreRemovedWhateverTheirNames() {
        byte[] odd = {(byte) 0xff, 0, '\r', '\n'};
        redis.call("SET", "process_cleanup", "1");
        redis.call("RPUSH", "queue:low", "{}");
        redis.call("SADD", "processes", "queue:low", "", "*", "live:2:b");
        redis.call(
                "SADD".getBytes(StandardCharsets.UTF_8),
                "processes".getBytes(StandardCharsets.UTF_8),
                odd);
        redis.call("HSET", "live:2:b", "info", "{}");
        redis.call(
                "EVAL",
                "for i = 1, 100000 do redis.call('SADD', KEYS[1], 'ghost:' .. i) end",
                "1",
                "processes");
        try (ProcessTable table = new ProcessTable(broker.connect("beat"))) {
            table.removeGhosts();
            assertThat(secondsToLive("process_cleanup")).isBetween(31L, 60L);
            redis.call("DEL", "process_cleanup");
            table.removeGhosts();
        }
        assertThat((List<?>) redis.call("SMEMBERS", "processes"))
                .extracting(GhostsIT::text)
                .containsExactly("live:2:b");
        assertThat(redis.call("LLEN", "queue:low")).isEqualTo(1L);
    }
}
