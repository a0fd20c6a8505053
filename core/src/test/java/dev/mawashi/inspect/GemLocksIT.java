package dev.mawashi.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.operate.LockRelease;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Locks of sidekiq-unique-jobs, in the keys that its `lock.lua`, `queue.lua` and `lock_info.rb`
/// write in 7.1 and 8.0: listed behind our own, and freed.
final class GemLocksIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final String ENDING = "uniquejobs:expiring_digests";
    private static final String LASTING = "uniquejobs:digests";
    private static final String DIGEST = "uniquejobs:9e22";

    private final RedisConnection redis = SERVER.connect();
    private final LockReader reader = new LockReader(SERVER.connect());

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void close() {
        reader.close();
        redis.close();
    }

    private void lock(String set, String digest, String... jids) {
        redis.call("ZADD", set, "1795845700.5", digest);
        redis.call("SET", digest, jids[0]);
        for (String jid : jids) {
            redis.call("HSET", digest + ":LOCKED", jid, "1795845700.5");
        }
    }

    private List<String> keys(String jobClass, int most) {
        List<String> keys = new ArrayList<>();
        String place = "";
        do {
            JobSearch.Limit limit = new JobSearch.Limit(most, () -> false);
            LockReader.Part part = reader.part(jobClass, place, limit);
            assertThat(part.found()).hasSizeLessThanOrEqualTo(most);
            part.found().forEach(lock -> keys.add(lock.key()));
            place = part.next();
        } while (!place.isEmpty());
        return keys;
    }

    private long free(LockView lock) {
        return LockRelease.free(redis, lock).touched();
    }

    @Test
    void aLockHasItsJobsAndItsEndAsFarAsTheGemSaysThem() {
        lock(LASTING, DIGEST, "7b", "7a");
        lock(ENDING, "uniquejobs:ab:RUN", "7c");
        redis.call("PEXPIRE", "uniquejobs:ab:RUN:LOCKED", "99000");
        redis.call("SET", "uniquejobs:ab:RUN:INFO", "{\"worker\":\"SyncJob\",\"queue\":\"low\"}");

        assertThat(reader.one(DIGEST).orElseThrow().json())
                .hasToString(
                        "{\"key\":\"uniquejobs:9e22\",\"class\":\"\",\"jid\":\"7a 7b\",\"until\":null,"
                                + "\"seconds_left\":0,\"gem\":\"sidekiq-unique-jobs\"}");
        LockView ending = reader.one("uniquejobs:ab:RUN").orElseThrow();
        assertThat(ending.holder()).isEqualTo("SyncJob jid=7c");
        assertThat(ending.until()).isPresent();
        assertThat(ending.secondsLeft()).isBetween(1L, 99L);
        assertThat(keys("SyncJob", 10)).containsExactly("uniquejobs:ab:RUN");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1_000})
    void partsHaveOurOwnAndTheGemsOnce(int most) {
        for (int i = 10; i < 30; i++) {
            redis.call("HSET", "mw:locks", "abcdefghijkl" + i, "9999999999999 7a Own");
            lock(i % 2 == 0 ? LASTING : ENDING, "uniquejobs:" + i, "7a");
        }
        assertThat(keys("", most)).hasSize(40).doesNotHaveDuplicates();
        redis.call("DEL", ENDING);
        assertThat(keys("", most)).hasSize(30).doesNotHaveDuplicates();
        redis.call("DEL", "mw:locks");
        assertThat(keys("", most)).hasSize(10).doesNotHaveDuplicates();
    }

    /// The reaper has not come yet.
    @Test
    void whatNobodyHoldsIsLeftOut() {
        redis.call("ZADD", LASTING, "1", DIGEST);
        redis.call("HSET", "other:LOCKED", "7a", "1");
        assertThat(keys("", 10)).isEmpty();
        assertThat(reader.one(DIGEST)).isEmpty();
        assertThat(reader.one("other")).isEmpty();
    }

    @Test
    void keysOfAnotherTypeHideNoOther() {
        lock(LASTING, DIGEST, "7a");
        redis.call("SET", ENDING, "x");
        redis.call("ZADD", LASTING, "1", "uniquejobs:odd");
        redis.call("SET", "uniquejobs:odd:LOCKED", "x");
        redis.call("LPUSH", DIGEST + ":INFO", "x");

        assertThat(keys("", 10)).containsExactly(DIGEST);
        assertThat(reader.one(DIGEST)).isPresent();
    }

    @Test
    void oneThatIsFreedLeavesNothing() {
        lock(LASTING, DIGEST, "7a", "7b");
        lock(LASTING, "uniquejobs:other", "7a");
        redis.call("LPUSH", DIGEST + ":QUEUED", "7a");
        redis.call("LPUSH", DIGEST + ":PRIMED", "7a");
        redis.call("SET", DIGEST + ":INFO", "{}");

        assertThat(free(reader.one(DIGEST).orElseThrow())).isEqualTo(1);
        assertThat((List<?>) redis.call("KEYS", DIGEST + "*")).isEmpty();
        assertThat(keys("", 10)).containsExactly("uniquejobs:other");
    }

    @Test
    void oneThatAnotherJobHoldsByNowStays() {
        lock(LASTING, DIGEST, "7a");
        LockView seen = reader.one(DIGEST).orElseThrow();
        redis.call("HDEL", DIGEST + ":LOCKED", "7a");
        redis.call("HSET", DIGEST + ":LOCKED", "7b", "1");

        assertThat(free(seen)).isZero();
        assertThat(reader.one(DIGEST).orElseThrow().jid()).isEqualTo("7b");

        redis.call("HSET", DIGEST + ":LOCKED", "7a", "1");
        assertThat(free(seen)).isEqualTo(1);
        assertThat(reader.one(DIGEST).orElseThrow().jid()).isEqualTo("7b");
    }
}
