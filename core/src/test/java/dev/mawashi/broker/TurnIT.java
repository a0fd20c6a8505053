package dev.mawashi.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.Keys;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The turn to look at the schedule, where Redis refuses its key.
class TurnIT {
    @Test
    void aUserWhoMayNotWriteTheKeyAlwaysHasTheTurn() {
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection admin = server.connect()) {
            admin.call("ACL", "SETUSER", "some", "on", ">pw", "+@all", "&*", "~schedule");
            String url = server.url().replace("redis://", "redis://some:pw@");
            try (RedisConnection limited =
                    new RedisConnection(RedisAddress.parse(url), "test", Duration.ofSeconds(20))) {
                Turn turn = new Turn(limited, Keys.SCHEDULER, Keys.SCHEDULER_LEFT);
                Eventually.until(
                        "it was asked for, and for its renewal",
                        () -> {
                            assertThat(turn.take()).isTrue();
                            return refusals(admin) >= 2;
                        });
            }
        }
    }

    /// How often Redis has refused to set a key.
    private static long refusals(RedisConnection admin) {
        String stats = new String((byte[]) admin.call("INFO", "commandstats"), UTF_8);
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_set:"))
                .mapToLong(
                        line -> Long.parseLong(line.replaceAll(".*rejected_calls=(\\d+).*", "$1")))
                .sum();
    }
}
