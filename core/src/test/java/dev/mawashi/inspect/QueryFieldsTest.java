package dev.mawashi.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.wire.Redaction;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class QueryFieldsTest {
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    private static JobQuery read(String name, String value) {
        return QueryFields.read(Map.of(name, value), NOW);
    }

    private static JobView made(String time) {
        return JobView.of(
                ("{\"class\":\"A\",\"tags\":[\"vip\",\"a b\"],\"created_at\":"
                                + Instant.parse(time).toEpochMilli()
                                + "}")
                        .getBytes(UTF_8),
                Redaction.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "older,2h,2026-11-24T09:59:59Z,2026-11-24T10:00:00Z",
        "older,2026-11-24T10:00:00Z,2026-11-24T09:59:59Z,2026-11-24T10:00:00Z",
        "older,2026-11-24T10:00,2026-11-24T09:59:59Z,2026-11-24T10:00:00Z",
        "older,2026-11-24,2026-11-23T23:59:59Z,2026-11-24T00:00:00Z",
        "newer,90,2026-11-24T11:58:30Z,2026-11-24T11:58:29Z",
        "newer,1.5m,2026-11-24T11:58:30Z,2026-11-24T11:58:29Z",
        "newer,1795521600,2026-11-24T12:00:00Z,2026-11-24T11:59:59Z",
    })
    void ageIsASpanBeforeNowOrATime(String field, String value, String in, String out) {
        assertThat(read(field, value).matches(made(in))).isTrue();
        assertThat(read(field, value).matches(made(out))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "after,2h,2026-11-24T14:00:00Z",
        "after,+2h,2026-11-24T14:00:00Z",
        "before,-2h,2026-11-24T10:00:00Z",
        "before,2026-12-24T18:00:00Z,2026-12-24T18:00:00Z",
    })
    void timesOfSetsAreSpansFromNowOrTimes(String field, String value, Instant expected) {
        TimeRange due = read(field, value).due();
        assertThat(field.equals("after") ? due.from() : due.to()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "2w", "--2h", "-", "1e3", "2026-13-01", "9999999999999", "٣"})
    void whatIsNoTimeIsToldWithTheRemedy(String text) {
        for (String field : new String[] {"older", "newer", "after", "before"}) {
            assertThatThrownBy(() -> read(field, text))
                    .isInstanceOf(QueryFields.NoTime.class)
                    .hasMessageStartingWith(field + " " + text)
                    .hasMessageContaining("write 90, 90s, 15m, 2h or 1d");
        }
        assertThatThrownBy(() -> read("older", "x".repeat(10_000)))
                .hasMessageMatching("older x{50}\\.\\.\\. is not a time.*");
    }

    @Test
    void anEmptyFieldAsksForNothing() {
        assertThat(read("older", " ").isAll()).isTrue();
        assertThat(QueryFields.read(Map.of(), NOW).isAll()).isTrue();
    }

    @Test
    void aTagIsMeantAsAWhole() {
        JobView job = made("2026-11-24T10:00:00Z");
        assertThat(read("tag", "vip").matches(job)).isTrue();
        assertThat(read("tag", "a b").matches(job)).isTrue();
        assertThat(read("tag", "vi").matches(job)).isFalse();
        assertThat(read("tag", ".*").matches(job)).isFalse();
    }

    @Test
    void aJobThatDoesNotSayWhenItWasMadeHasNoAge() {
        JobView job = JobView.of("{\"class\":\"A\"}".getBytes(UTF_8), Redaction.NONE);
        assertThat(read("older", "1s").matches(job)).isFalse();
        assertThat(read("newer", "1s").matches(job)).isFalse();
        JobView enqueued =
                JobView.of("{\"enqueued_at\":1795200000.5}".getBytes(UTF_8), Redaction.NONE);
        assertThat(read("older", "1s").matches(enqueued)).isTrue();
    }
}
