package dev.mawashi.presence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.fleet.ProcessTable;
import dev.mawashi.redis.FreshRedis;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Processes that ended without saying so leave the set of processes.
class GhostsIT {
    @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

    private long secondsToLive(String key) {
        return REDIS.call("TTL", key) instanceof Long seconds ? seconds : 0;
    }

    @Test
    void ghostsAreRemovedOnceAMinuteByAnyProcess() {
        REDIS.call("SADD", "processes", "ghost:1:a", "live:2:b");
        REDIS.call("HSET", "live:2:b", "info", "{}");
        try (ProcessTable table = new ProcessTable(REDIS.server().connect())) {
            table.removeGhosts();
            assertThat(REDIS.call("SISMEMBER", "processes", "ghost:1:a")).isEqualTo(0L);
            assertThat(REDIS.call("SISMEMBER", "processes", "live:2:b")).isEqualTo(1L);
            assertThat(secondsToLive("process_cleanup")).isBetween(31L, 60L);

            REDIS.call("SADD", "processes", "ghost:1:a");
            table.removeGhosts();

            assertThat(REDIS.call("SISMEMBER", "processes", "ghost:1:a")).isEqualTo(1L);
        }
    }

    /// Among them names that are no process's, and a lock that nobody would ever take off.
    @Test
    void aHundredThousandGhostsAreRemovedWhateverTheirNames() {
        byte[] odd = {(byte) 0xff, 0, '\r', '\n'};
        REDIS.call("SET", "process_cleanup", "1");
        REDIS.call("RPUSH", "queue:low", "{}");
        REDIS.call("SADD", "processes", "queue:low", "", "*", "live:2:b");
        REDIS.call(
                "SADD".getBytes(StandardCharsets.UTF_8),
                "processes".getBytes(StandardCharsets.UTF_8),
                odd);
        REDIS.call("HSET", "live:2:b", "info", "{}");
        REDIS.call(
                "EVAL",
                "for i = 1, 100000 do redis.call('SADD', KEYS[1], 'ghost:' .. i) end",
                "1",
                "processes");
        try (ProcessTable table = new ProcessTable(REDIS.server().connect())) {
            table.removeGhosts();
            assertThat(secondsToLive("process_cleanup")).isBetween(31L, 60L);
            REDIS.call("DEL", "process_cleanup");
            table.removeGhosts();
        }
        assertThat((List<?>) REDIS.call("SMEMBERS", "processes"))
                .extracting(FreshRedis::text)
                .containsExactly("live:2:b");
        assertThat(REDIS.call("LLEN", "queue:low")).isEqualTo(1L);
    }
}
