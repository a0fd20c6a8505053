package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Fields of an in-flight hash that are none of ours.
class StrayFieldsIT {
    private static final List<String> Q = List.of("q");
    private static final String IN_FLIGHT = "mw:{queue:q}:inflight:a";

    private static final RedisServerForTests SERVER = new RedisServerForTests();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1x", "", "x", "-1", "01", "99999999999999999999", "\u0663"})
    void keepNobodyFromComparing(String field) {
        SERVER.flushAll();
        RedisBroker broker = new RedisBroker(SERVER.address(), DeadLimits.DEFAULT);
        try (RedisConnection redis = SERVER.connect();
                Leasing leasing = broker.leasing()) {
            leasing.open("a", Q, Duration.ofMinutes(5));
            redis.call("HSET", IN_FLIGHT, field, "odd", "7", "not ours");

            List<Settled> again = leasing.compare("a", Q, true).again();

            assertThat(again).extracting(one -> one.lease().token()).containsExactly(7L);
            assertThat(redis.call("HGET", IN_FLIGHT, field))
                    .isEqualTo("odd".getBytes(StandardCharsets.UTF_8));
        }
    }
}
