package dev.mawashi.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LockReaderIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final long FAR = 9_999_999_999_999L;

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
    }

    private static void set(String key, String lock) {
        try (var redis = SERVER.connect()) {
            redis.call("HSET", Keys.LOCKS, key, lock);
        }
    }

    private static String key(int number) {
        return "abcdefghi" + (10_000 + number);
    }

    private static JobSearch.Limit most(int most) {
        return new JobSearch.Limit(most, () -> false);
    }

    /// The keys of all parts, one after the other.
    private List<String> keys(String jobClass, int most) {
        List<String> keys = new ArrayList<>();
        String place = "";
        do {
            LockReader.Part part = reader.part(jobClass, place, most(most));
            assertThat(part.found()).hasSizeLessThanOrEqualTo(most);
            part.found().forEach(lock -> keys.add(lock.key()));
            place = part.next();
        } while (!place.isEmpty());
        return keys;
    }

    @Test
    void aLockHasItsJobAndItsEnd() {
        set(key(1), FAR + " 7a~2 Billing::SyncJob");

        LockView lock = reader.one(key(1)).orElseThrow();

        assertThat(lock.jid()).isEqualTo("7a");
        assertThat(lock.jobClass()).isEqualTo("Billing::SyncJob");
        assertThat(lock.until().orElseThrow().toEpochMilli()).isEqualTo(FAR);
        assertThat(lock.secondsLeft()).isGreaterThan(1_000_000);
        assertThat(new String(lock.held().owner(), UTF_8)).isEqualTo("7a~2");
        assertThat(lock.json().toString())
                .startsWith(
                        "{\"key\":\"abcdefghi10001\",\"class\":\"Billing::SyncJob\",\"jid\":\"7a\",")
                .contains("\"until\":\"2286-11-20T17:46:39.999Z\"");
        assertThat(reader.one(key(2))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "", " ", ":", "a\nb", "日本", "a~", "a SyncJob", "1"})
    void theJidOfALockMayBeAnyText(String jid) {
        set(key(1), FAR + " " + jid + " Billing::SyncJob");
        set(key(2), FAR + " " + jid + "~3 Billing::SyncJob");

        for (int i = 1; i <= 2; i++) {
            LockView lock = reader.one(key(i)).orElseThrow();
            assertThat(lock.jid()).isEqualTo(jid);
            assertThat(lock.jobClass()).isEqualTo("Billing::SyncJob");
            assertThat(new String(lock.held().owner(), UTF_8)).isEqualTo(i == 1 ? jid : jid + "~3");
        }
    }

    @Test
    void whatIsNoLockAndWhoseTimeIsOverIsLeftOut() {
        set(key(1), "5 7a SyncJob");
        set(key(2), "odd");
        set(key(3), "");
        set("short", FAR + " 7a SyncJob");
        set(key(4), "9".repeat(40) + " 7a SyncJob");
        set(key(5), FAR + " 7a ");

        assertThat(keys("", 10)).containsExactly(key(5));
        assertThat(reader.one(key(1))).isEmpty();
        assertThat(reader.part("", "", most(10)).total()).isEqualTo(6);
    }

    /// A small hash Redis gives as a whole, a large one in steps.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50, 400, 3_000})
    void partsHaveEachLockOnce(int count) {
        for (int i = 0; i < count; i++) {
            set(key(i), FAR + " " + i + (i % 10 == 0 ? " Rare" : " Common"));
        }
        for (int most : List.of(1, 7, 1_000)) {
            if (most > 1 || count < 100) {
                assertThat(keys("", most)).hasSize(count).doesNotHaveDuplicates();
            }
            assertThat(keys("Rare", most)).hasSize((count + 9) / 10).doesNotHaveDuplicates();
        }
        assertThat(keys("None", 10)).isEmpty();
    }

    /// Others come and go, and Redis changes how it keeps them.
    @Test
    void partsHaveEachLockThatStays() {
        TreeSet<String> staying = new TreeSet<>();
        for (int i = 0; i < 400; i++) {
            set(key(i), FAR + " " + i + " A");
            if (i % 2 == 0) {
                staying.add(key(i));
            }
        }
        TreeSet<String> seen = new TreeSet<>();
        String place = "";
        int more = 400;
        try (var redis = SERVER.connect()) {
            do {
                LockReader.Part part = reader.part("", place, most(100));
                part.found().forEach(lock -> seen.add(lock.key()));
                place = part.next();
                redis.call("HDEL", Keys.LOCKS, key(more - 399));
                for (int i = 0; i < 50; i++) {
                    set(key(more), FAR + " " + more + " A");
                    more++;
                }
            } while (!place.isEmpty());
        }
        staying.removeIf(key -> reader.one(key).isEmpty());
        assertThat(staying).hasSizeGreaterThan(100);
        assertThat(seen).containsAll(staying);
    }

    @Test
    void aPartEndsWhenItsTimeIsOver() {
        for (int i = 0; i < 3_000; i++) {
            set(key(i), FAR + " " + i + " A");
        }
        LockReader.Part part = reader.part("None", "", new JobSearch.Limit(10, () -> true));

        assertThat(part.found()).isEmpty();
        assertThat(part.next()).matches("\\d+\\.");
        assertThat(reader.part("", "banana", most(5)).found()).hasSize(5);
    }
}
