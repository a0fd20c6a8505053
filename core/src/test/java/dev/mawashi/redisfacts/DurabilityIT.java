package dev.mawashi.redisfacts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.redisfacts.Durability.Grade;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a real Redis tells of how it keeps jobs.
class DurabilityIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @AfterEach
    void close() {
        redis.call("CONFIG", "SET", "appendonly", "no", "save", "", "maxmemory", "0");
        redis.call("CONFIG", "SET", "maxmemory-policy", "noeviction", "appendfsync", "everysec");
        redis.close();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "no, everysec, none, MEMORY, D0",
                "no, always, none, MEMORY, D0",
                "no, everysec, 900 1, RDB, D1",
                "yes, no, 900 1, AOF_NO, D1",
                "yes, everysec, 900 1, AOF_EVERYSEC, D2",
                "yes, always, none, AOF_ALWAYS, D3",
            })
    void theGradeFollowsHowRedisWritesThingsDown(
            String appendonly, String fsync, String save, Grade grade, String level) {
        redis.call("CONFIG", "SET", "appendfsync", fsync, "save", save == null ? "" : save);
        redis.call("CONFIG", "SET", "appendonly", appendonly);

        Durability found = Durability.of(redis);
        assertThat(found.grade()).isEqualTo(grade);
        assertThat(grade.level()).isEqualTo(level);
        assertThat(found.objection() == null).isEqualTo(level.compareTo("D2") >= 0);
        assertThat(found.describe()).startsWith("grade " + level + ", ").contains("0 replicas");
    }

    @Test
    void withoutConfigWhatIsNotKnownIsSaid() {
        redis.call("ACL", "SETUSER", "managed", "on", ">secret", "~*", "+@all", "-config");
        RedisAddress place = SERVER.address();
        RedisAddress managed =
                RedisAddress.parse("redis://managed:secret@127.0.0.1:" + place.port() + "/0");
        try (RedisConnection user = new RedisConnection(managed, "test", Duration.ofSeconds(5))) {
            Durability without = Durability.of(user);
            assertThat(without.grade()).isEqualTo(Grade.NO_AOF);
            assertThat(without.replicasNeeded()).isNull();
            assertThat(without.describe()).contains("D0 or D1", "snapshots are not known");
            redis.call("CONFIG", "SET", "appendonly", "yes");
            Durability with = Durability.of(user);
            assertThat(with.grade()).isEqualTo(Grade.AOF);
            assertThat(with.objection())
                    .contains("grade D1 to D3", "not known", "let this user call CONFIG GET");
        }
    }

    @Test
    void aPolicyThatEvictsIsObjectedToAlsoWithoutALimit() {
        redis.call("CONFIG", "SET", "appendonly", "yes", "maxmemory-policy", "allkeys-lru");
        Durability unlimited = Durability.of(redis);
        assertThat(unlimited.mayEvict()).isFalse();
        assertThat(unlimited.objection())
                .contains("maxmemory-policy allkeys-lru", "set it to noeviction");

        redis.call("CONFIG", "SET", "maxmemory", "100mb");
        Durability limited = Durability.of(redis);
        assertThat(limited.mayEvict()).isTrue();
        assertThat(limited.describe()).endsWith("maxmemory-policy allkeys-lru at 104857600 bytes");
    }

    @Test
    void replicasAreCounted() {
        String port = String.valueOf(SERVER.address().port());
        redis.call("CONFIG", "SET", "min-replicas-to-write", "1");
        try (RedisServerForTests replica =
                new RedisServerForTests("--replicaof", "127.0.0.1", port)) {
            assertThat(replica.pid()).isPositive();
            Eventually.until("it is connected", () -> Durability.of(redis).replicas() == 1);
            assertThat(Durability.of(redis).describe()).contains("1 replica, 1 needed for a write");
        } finally {
            redis.call("CONFIG", "SET", "min-replicas-to-write", "0");
        }
    }
}
