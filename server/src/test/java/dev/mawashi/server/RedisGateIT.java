package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Outage;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import org.junit.jupiter.api.Test;

class RedisGateIT {
    @Test
    void onlyWhoAsksForItIsRefusedARedisThatMayLoseJobs() {
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection redis = server.connect()) {
            assertThat(pass(server, false)).isTrue();
            assertRefused(server, "grade D0 (memory only", "set appendonly yes and appendfsync");
            redis.call("CONFIG", "SET", "appendonly", "yes", "maxmemory-policy", "volatile-lru");
            assertThat(pass(server, false)).isTrue();
            assertRefused(server, "(maxmemory-policy volatile-lru): set it to noeviction");
            redis.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
            assertThat(pass(server, true)).isTrue();
        }
    }

    private static void assertRefused(RedisServerForTests server, String... words) {
        assertThatThrownBy(() -> pass(server, true))
                .isInstanceOf(StartFailure.class)
                .hasMessageStartingWith("--strict: Redis ")
                .hasMessageContainingAll(words)
                .extracting(failure -> String.valueOf(failure.getMessage()).lines().count())
                .isEqualTo(1L);
    }

    private static boolean pass(RedisServerForTests server, boolean isStrict) {
        RedisBroker broker = new RedisBroker(server.address(), DeadLimits.DEFAULT);
        Outage outage = new Outage(event -> {}, System::nanoTime);
        return new RedisGate(broker, outage, isStrict).pass(() -> false);
    }
}
