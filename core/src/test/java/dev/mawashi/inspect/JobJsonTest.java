package dev.mawashi.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.Redaction;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JobJsonTest {
    private static JobEntry entry(String payload, double score) {
        return new JobEntry(JobView.of(payload.getBytes(UTF_8), Redaction.NONE), score);
    }

    @Test
    void ofASetAnEntryHasItsKeyAndItsScore() {
        String json = JobJson.row(entry("{\"jid\":\"a\",\"tags\":[\"vip\",7]}", 12.5), false);
        assertThat(json).contains("\"key\":\"12.5-a\"", "\"score\":12.5", "[\"vip\",\"7\"]");
        assertThat(json).doesNotContain("backtrace");
    }

    @Test
    void aScoreThatJsonHasNoNumberForIsInTheKeyAlone() {
        assertThat(JobJson.row(entry("{}", Double.POSITIVE_INFINITY), false))
                .contains("\"key\":\"inf-\"", "\"score\":null");
        assertThat(JobJson.row(entry("{\"jid\":\"a\"}", Double.NaN), false))
                .contains("\"key\":null", "\"score\":null", "\"at\":null");
    }

    @Test
    void theWholeOfAJobHasItsPayloadAndBacktrace() {
        String payload = "{\"jid\":\"a\", \"error_backtrace\":[\"x.rb:1\"]}";
        assertThat(JobJson.whole(entry(payload, 1)))
                .contains("\"raw\":\"{\\\"jid\\\":\\\"a\\\", ", "\"backtrace\":[\"x.rb:1\"]");
        assertThat(JobJson.row(entry(payload, 1), true)).contains("\"raw\":null,\"backtrace\":[\"");
    }

    @Test
    void aRowCutsWhatIsNoJobAndTheWholeDoesNot() {
        JobEntry entry = entry("x".repeat(5_000), 1);
        assertThat(JobJson.row(entry, false)).contains("xxx...\"").hasSizeLessThan(1_500);
        assertThat(JobJson.whole(entry)).contains("x".repeat(5_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"tags\":\"vip\"", "\"tags\":null", "\"tags\":{}", "\"a\":1"})
    void tagsThatAreNoListAreNone(String field) {
        assertThat(JobView.of(("{" + field + "}").getBytes(UTF_8), Redaction.NONE).tags())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1-", "12.5-a-b", "-3-x", "inf-j", "-inf-j"})
    void aKeyIsReadAsItIsWritten(String key) {
        assertThat(EntryKey.parse(key).map(EntryKey::toString)).isEqualTo(Optional.of(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "x-j", "1e5-j", "1 -j", "NaN-j", "1\u0000-j", "(1-j"})
    void whatIsNoKeyIsNotRead(String text) {
        assertThat(EntryKey.parse(text)).isEmpty();
    }
}
