package dev.mawashi.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.redis.RedisServerForTests;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IterationsIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final long TTL_SECONDS = 30L * 24 * 60 * 60;

    private final RedisConnection redis = SERVER.connect();
    private final Iterations iterations = new Iterations(SERVER.connect());

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
        iterations.close();
        redis.close();
    }

    private List<String> ask(String... words) {
        List<byte[]> bytes = Stream.of(words).map(word -> word.getBytes(UTF_8)).toList();
        return iterations.ask(bytes).stream().map(word -> new String(word, UTF_8)).toList();
    }

    @Test
    void whatIsWrittenIsReadAndForgotten() {
        assertThat(ask("read", "j")).isEmpty();
        assertThat(ask("write", "j", "ex", "1", "c", "\"é\"", "rt", "0")).isEmpty();
        assertThat(ask("write", "j", "ex", "2")).isEmpty();

        assertThat(ask("read", "j")).containsExactly("ex", "2", "c", "\"é\"", "rt", "0");
        assertThat(redis.call("HGET", "it-j", "c")).isEqualTo("\"é\"".getBytes(UTF_8));

        assertThat(ask("forget", "j")).isEmpty();
        assertThat(redis.call("EXISTS", "it-j")).isEqualTo(0L);
    }

    @Test
    void aStateLivesThirtyDaysFromItsFirstNoteOn() {
        ask("write", "j", "ex", "1");
        assertThat((Long) redis.call("TTL", "it-j")).isBetween(TTL_SECONDS - 60, TTL_SECONDS);
        redis.call("EXPIRE", "it-j", "1000");

        ask("write", "j", "ex", "2");

        assertThat((Long) redis.call("TTL", "it-j")).isBetween(900L, 1_000L);
    }

    @Test
    void theFirstCancellationCountsAndIsToldAtEachNote() {
        assertThat(ask("write", "j", "cancelled", "1795225660")).containsExactly("1795225660");
        assertThat(ask("write", "j", "cancelled", "1795225661")).containsExactly("1795225660");
        assertThat(ask("write", "j", "ex", "1")).containsExactly("1795225660");
    }

    @Test
    void aFullServerStillKeepsIt() {
        redis.call("CONFIG", "SET", "maxmemory", "1");
        try {
            ask("write", "j", "ex", "1");
            assertThat(ask("read", "j")).containsExactly("ex", "1");
        } finally {
            redis.call("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void aKeyOfAWrongTypeIsRefused() {
        redis.call("SET", "it-j", "no hash");

        assertThatThrownBy(() -> ask("read", "j")).isInstanceOf(RedisFailure.class);
    }
}
