package dev.mawashi.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Watches of different keys over the same two connections.
class KeyReportsIT {
    @RegisterExtension static final FreshRedis REDIS = new FreshRedis();

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Shorter than the time after which the listener takes a silent connection for a dead one.
    private static final Duration SOON = Duration.ofSeconds(15);

    private final KeyReports reports = new KeyReports(connect("reader"), () -> connect("hearer"));
    private final KeyWatch first = reports.watch("a"::equals);
    private final KeyWatch second = reports.watch("b"::equals);

    private static RedisConnection connect(String name) {
        return new RedisConnection(REDIS.server().address(), name, PATIENCE);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    /// Reads each key of its own over and over, until what it has read is watched.
    private static void read(KeyWatch... watches) {
        List<String> keys = List.of("a", "b");
        Eventually.until(
                "the keys are watched",
                PATIENCE,
                () -> Stream.of(watches).map(KeyWatch::track).allMatch(is -> is));
        for (KeyWatch watch : watches) {
            watch.track();
            keys.forEach(key -> watch.connection().call("GET", key));
        }
        Arrays.stream(watches).forEach(KeyReportsIT::forget);
    }

    private static void forget(KeyWatch watch) {
        while (watch.await(Duration.ZERO)) {
            watch.takeChanges();
        }
        watch.takeChanges();
    }

    /// The keys that a watch names until it names this one.
    private static Set<String> heard(KeyWatch watch, String key) {
        Set<String> keys = new HashSet<>();
        Eventually.until(
                "it is named",
                PATIENCE,
                () -> {
                    keys.addAll(watch.takeChanges().keys());
                    return keys.contains(key);
                });
        return keys;
    }

    private static List<String> open() {
        return REDIS.text("CLIENT", "LIST")
                .lines()
                .filter(line -> line.matches(".* name=(reader|hearer) .*"))
                .map(line -> line.replaceAll(".* name=(\\S+) .*", "$1"))
                .sorted()
                .collect(Collectors.toList());
    }

    @Test
    void eachHearsOfItsOwnKeysAlone() {
        read(first, second);
        REDIS.call("SET", "b", "1");
        REDIS.call("SET", "a", "1");

        // Reports keep their order, so the other one has come by then too.
        assertThat(heard(first, "a")).containsExactly("a");
        assertThat(second.takeChanges().keys()).containsExactly("b");
    }

    @Test
    void whoTakesNoNamesHearsOfTheNextChangeToo() {
        for (String value : List.of("1", "2", "3")) {
            first.track();
            first.connection().call("GET", "a");
            read(first);
            REDIS.call("SET", "a", value);
            assertThat(first.await(PATIENCE)).isTrue();
        }
    }

    @Test
    void allShareTwoConnectionsThatTheLastOneCloses() {
        read(first, second);
        assertThat(open()).containsExactly("hearer", "reader");

        first.close();
        first.close();
        read(second);
        assertThat(open()).containsExactly("hearer", "reader");

        second.close();
        Eventually.until("both are closed", PATIENCE, () -> open().isEmpty());
    }

    @Test
    void whoComesAfterTheLastOneIsWatchedToo() {
        read(first);
        first.close();
        second.close();
        try (KeyWatch third = reports.watch("a"::equals)) {
            read(third);
            REDIS.call("SET", "a", "1");

            assertThat(heard(third, "a")).containsExactly("a");
        }
    }

    /// It would hear of no change that follows: what it has read was read by the connection before.
    @Test
    void whenOneReadsOverANewConnectionTheOthersReadAgain() {
        read(first, second);
        first.connection().renew();

        first.track();
        assertThat(second.await(SOON)).isTrue();
        assertThat(second.takeChanges().areUnknown()).isTrue();
        read(second);
        REDIS.call("SET", "b", "1");
        assertThat(heard(second, "b")).containsExactly("b");
    }

    @Test
    void whenTheReportsAreCutAllReadAgain() {
        read(first, second);
        REDIS.call("CLIENT", "KILL", "TYPE", "pubsub");

        assertThat(first.await(PATIENCE)).isTrue();
        assertThat(second.await(PATIENCE)).isTrue();
        assertThat(first.takeChanges().areUnknown()).isTrue();
        assertThat(second.takeChanges().areUnknown()).isTrue();
        read(first, second);
        REDIS.call("SET", "a", "1");
        assertThat(heard(first, "a")).containsExactly("a");
    }

    @Test
    void whenAllKeysAreGoneAllReadAgain() {
        read(first, second);
        REDIS.call("FLUSHALL");

        assertThat(first.await(PATIENCE)).isTrue();
        assertThat(second.await(PATIENCE)).isTrue();
        assertThat(second.takeChanges().areUnknown()).isTrue();
    }
}
