package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Outage;
import dev.mawashi.redis.AnsweringServer;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /// What Redis, Valkey, KeyDB and Dragonfly say of themselves, and what says nothing.
    @ParameterizedTest
    @CsvSource({
        "redis_version:3.2.12, 3.2.12",
        "redis_version:5.0.14, 5.0.14",
        "redis_version:6.2.21, 6.2.21",
        "redis_version:6.3.4, 6.3.4",
        "redis_version:7.0.15,",
        "redis_version:8.2.1,",
        "redis_version:255.255.255,",
        "redis_version:7.2.4/server_name:valkey/valkey_version:9.0.0,",
        "redis_version:7.4.0/dragonfly_version:df-v1.34.0,",
        "redis_version:,",
        "redis_version:99999999999999999999,",
        "redis_mode:standalone,",
    })
    void versionsAreTakenOrRefused(String lines, @Nullable String refused) {
        String info = lines.replace("/", "\r\n");
        String reply = "$" + info.length() + "\r\n" + info + "\r\n";
        try (AnsweringServer server =
                new AnsweringServer(
                        command -> command.contains("INFO") ? reply : answer(command))) {
            if (refused == null) {
                assertThat(pass(server.address(), false)).isTrue();
            } else {
                assertThatThrownBy(() -> pass(server.address(), false))
                        .isInstanceOf(StartFailure.class)
                        .hasMessageStartingWith(
                                "Redis is " + refused + ", Mawashi needs Redis 7.0");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://", "redis://:word@", "redis://user:word@"})
    void aRedisThatKnowsNoLogInOfOursIsTooOld(String before) {
        try (AnsweringServer server = new AnsweringServer(RedisGateIT::answerOfRedis5)) {
            String address = server.address().toString().replace("redis://", before);

            assertThatThrownBy(() -> pass(RedisAddress.parse(address), false))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageStartingWith("the Redis at redis://")
                    .hasMessageContaining("Mawashi needs Redis 7.0 or Valkey 7.2")
                    .hasMessageNotContaining("word");
        }
    }

    private static String answerOfRedis5(String command) {
        return command.contains("HELLO")
                ? "-ERR unknown command `HELLO`, with args beginning with: `2`, \r\n"
                : "+OK\r\n";
    }

    private static String answer(String command) {
        return command.contains("HELLO") ? AnsweringServer.LOGGED_IN : "+OK\r\n";
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
        return pass(server.address(), isStrict);
    }

    private static boolean pass(RedisAddress address, boolean isStrict) {
        RedisBroker broker = new RedisBroker(address, DeadLimits.DEFAULT);
        Outage outage = new Outage(event -> {}, System::nanoTime);
        return new RedisGate(broker, outage, isStrict).pass(() -> false);
    }
}
