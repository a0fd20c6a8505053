package dev.mawashi.redisfacts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RedisFactsReaderIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();
    private final AtomicLong nanos = new AtomicLong();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void clear() {
        SERVER.flushAll();
        redis.call("CONFIG", "SET", "slowlog-log-slower-than", "0");
        redis.call("SLOWLOG", "RESET");
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private RedisFacts read(RedisConnection connection) {
        return new RedisFactsReader(connection, () -> nanos.addAndGet(1_000)).read();
    }

    @Test
    void tellsWhatThereIs() {
        redis.call("SADD", "queues", "big", "small", "odd");
        for (int i = 0; i < 500; i++) {
            redis.call("LPUSH", "queue:big", "{\"class\":\"A\",\"args\":[\"secret-" + i + "\"]}");
        }
        redis.call("LPUSH", "queue:small", "{}");
        redis.call("SET", "queue:odd", "no list");
        redis.call("ZADD", "dead", "1", "{}");

        RedisFacts facts = read(redis);

        assertThat(facts.version()).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(facts.durability().grade()).isEqualTo(Durability.Grade.MEMORY);
        assertThat(facts.memory().used()).isPositive();
        assertThat(facts.load().clients()).isPositive();
        assertThat(facts.load().clientsMax()).isGreaterThan(1_000);
        assertThat(facts.replication().role()).isEqualTo("master");
        assertThat(facts.persistence().troubles()).isEmpty();
        assertThat(facts.pings()).hasSize(20).containsOnly(1_000L);
        assertThat(facts.keys())
                .contains(
                        new RedisFacts.KeyCount("queue:big", 500),
                        new RedisFacts.KeyCount("dead", 1),
                        new RedisFacts.KeyCount("retry", 0))
                .noneMatch(key -> key.key().equals("queue:odd"));
        assertThat(facts.allKeys()).isEqualTo(5);
        List<RedisFacts.KeyMemory> largest = facts.largest().value().orElseThrow();
        assertThat(largest.getFirst().key()).isEqualTo("queue:big");
        assertThat(largest.getFirst().bytes()).isGreaterThan(500 * 20);
        assertThat(facts.slow().value().orElseThrow())
                .hasSize(20)
                .noneMatch(call -> call.command().contains("secret"));
        assertThat(facts.json())
                .startsWith("{\"version\":\"")
                .contains("\"grade\":\"D0\"", "{\"key\":\"queue:big\",\"entries\":500}")
                .contains("\"ping_ms\":{\"min\":0.001,\"median\":0.001,\"max\":0.001}")
                .doesNotContain("secret");
    }

    @Test
    void ofManyQueuesTwentyAreAskedForTheirMemory() {
        for (int i = 0; i < 30; i++) {
            redis.call("SADD", "queues", "q" + i);
            for (int j = 0; j <= i; j++) {
                redis.call("LPUSH", "queue:q" + i, "{}");
            }
        }

        assertThat(read(redis).largest().value().orElseThrow())
                .hasSize(20)
                .extracting(RedisFacts.KeyMemory::key)
                .contains("queue:q29", "queue:q10")
                .doesNotContain("queue:q9");
    }

    @Test
    void whatAnAclForbidsIsNotToldAndHasItsReason() {
        redis.call("SADD", "queues", "q");
        redis.call("LPUSH", "queue:q", "{}");
        redis.call(
                "ACL",
                "SETUSER",
                "viewer",
                "on",
                ">pass",
                "~*",
                "+@all",
                "-slowlog",
                "-memory",
                "-config");
        String url = SERVER.url().replace("redis://", "redis://viewer:pass@");
        try (RedisConnection viewer =
                new RedisConnection(RedisAddress.parse(url), "viewer", Duration.ofSeconds(5))) {
            RedisFacts facts = read(viewer);

            assertThat(facts.slow().value()).isEmpty();
            assertThat(facts.slow().refusal()).contains("NOPERM");
            assertThat(facts.largest().value()).isEmpty();
            assertThat(facts.largest().refusal()).contains("NOPERM");
            assertThat(facts.durability().grade()).isEqualTo(Durability.Grade.NO_AOF);
            assertThat(facts.json()).contains("\"slow\":{\"refused\":\"NOPERM");
        }
    }
}
