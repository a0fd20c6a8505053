package dev.mawashi.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JobLockTest {
    private static final String DIGEST = "abcdefghij-_AB";

    private static String shown(byte[] payload) {
        JobLock lock = Objects.requireNonNull(JobLock.of(payload));
        return new String(lock.digest(), UTF_8) + " " + new String(lock.owner(), UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "abcdefghij-_AB, 7a",
        "abcdefghij-_AB~2, 7a~2",
    })
    void aLockHasTheNameOfItsDigestAndAnOwner(String value, String owner) {
        String payload = "{\"jid\":\"7a\",\"args\":[1],\"mw_lock\":\"%s\"}".formatted(value);

        assertThat(shown(payload.getBytes(UTF_8))).isEqualTo(DIGEST + " " + owner);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", ":", "a\\nb", "日本", "a~1"})
    void anyJidIsAnOwner(String jid) {
        String payload = "{\"jid\":\"%s\",\"mw_lock\":\"%s\"}".formatted(jid, DIGEST);

        assertThat(shown(payload.getBytes(UTF_8)))
                .isEqualTo(DIGEST + " " + jid.replace("\\n", "\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jid\":\"7a\"}",
                "{\"mw_lock\":\"abcdefghij-_AB\"}",
                "{\"jid\":7,\"mw_lock\":\"abcdefghij-_AB\"}",
                "{\"jid\":\"7a\",\"mw_lock\":\"abc\"}",
                "{\"jid\":\"7a\",\"mw_lock\":\"abcdefghij-_ABC\"}",
                "{\"jid\":\"7a\",\"mw_lock\":\"abcdefghij-_AB~\"}",
                "{\"jid\":\"7a\",\"mw_lock\":\"abcdefghij-_A:\"}",
                "{\"jid\":\"7a\",\"mw_lock\":null}",
                "{\"jid\":\"7a\",\"args\":[{\"mw_lock\":\"abcdefghij-_AB\"}]}",
                "{\"jid\":\"7a\",\"mw_lock\":\"abcdefghij-_AB\"",
                "\"mw_lock\"",
                ""
            })
    void othersHaveNone(String payload) {
        assertThat(JobLock.of(payload.getBytes(UTF_8))).isNull();
    }

    @Test
    void ofManyThoseAreFoundThatHaveOne() {
        byte[] with = "{\"jid\":\"7a\",\"mw_lock\":\"abcdefghij-_AB\"}".getBytes(UTF_8);
        byte[] without = "{\"jid\":\"7b\"}".getBytes(UTF_8);

        assertThat(JobLock.all(List.of(without, with, without))).hasSize(1);
    }
}
