package dev.mawashi.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ExpiryTest {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final long SECOND = BEGIN.getEpochSecond();

    private static boolean isOver(String payload, long secondsLater) {
        return Expiry.isOver(payload.getBytes(UTF_8), () -> BEGIN.plusSeconds(secondsLater));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "expires_in":10,"enqueued_at":%1$s.0
                    "expires_in":10.0,"enqueued_at":%1$s000
                    "expires_in":"10","enqueued_at":%1$s.0
                    "expires_in":10,"created_at":%1$s.0
                    "expires_in":10,"created_at":1.0,"enqueued_at":%1$s.0
                    "expiry":%2$s
                    "expiry":%2$s.0
                    "expiry":%2$s000
                    "expiry":%2$s,"expires_in":1,"enqueued_at":%1$s.0
                    """)
    void aJobIsOverWhenItsTimeHasPassed(String fields) {
        String payload = "{\"class\":\"X\"," + fields.formatted(SECOND, SECOND + 10) + "}";

        assertThat(isOver(payload, 9)).isFalse();
        assertThat(isOver(payload, 10)).isFalse();
        assertThat(isOver(payload, 11)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"class\":\"X\",\"enqueued_at\":1.0}",
                "{\"expires_in\":10}",
                "{\"expires_in\":-1,\"enqueued_at\":1.0}",
                "{\"expires_in\":0,\"enqueued_at\":1.0}",
                "{\"expires_in\":null,\"enqueued_at\":1.0}",
                "{\"expires_in\":true,\"enqueued_at\":1.0}",
                "{\"expires_in\":[1],\"enqueued_at\":1.0}",
                "{\"expires_in\":\"an hour\",\"enqueued_at\":1.0}",
                "{\"expires_in\":\"NaN\",\"enqueued_at\":1.0}",
                "{\"expires_in\":1e300,\"enqueued_at\":1.0}",
                "{\"expiry\":0}",
                "{\"expiry\":-5}",
                "{\"expiry\":1e300}",
                "{\"expiry\":\"soon\"}",
                "{\"args\":[{\"expiry\":1}]}",
                "{\"args\":[\"expires_in\"],\"enqueued_at\":1.0}",
                "{\"expiry\":1",
                "[\"expiry\"]",
                "\"expi",
                ""
            })
    void othersAreNeverOver(String payload) {
        assertThat(isOver(payload, 1_000_000_000)).isFalse();
    }

    /// The search takes eight bytes at a time.
    @Test
    void theFieldIsFoundWhereverItStands() {
        for (int before = 0; before < 20; before++) {
            for (int behind = 0; behind < 10; behind++) {
                String payload =
                        " ".repeat(before) + "{\"expiry\":" + SECOND + "}" + " ".repeat(behind);
                assertThat(isOver(payload, 1)).as("%s and %s", before, behind).isTrue();
            }
        }
    }
}
