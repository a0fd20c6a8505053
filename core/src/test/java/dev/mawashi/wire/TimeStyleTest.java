package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeStyleTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"created_at\":1795225576.1516666}            | FLOAT_SECONDS",
                "{\"created_at\":1795225660717}                 | INTEGER_MILLIS",
                "{\"created_at\":1.795225576E9}                 | FLOAT_SECONDS",
                "{\"enqueued_at\":1795225576.5}                 | FLOAT_SECONDS",
                "{\"failed_at\":1795225576.5}                   | FLOAT_SECONDS",
                "{\"created_at\":null,\"failed_at\":1.5}        | FLOAT_SECONDS",
                "{\"created_at\":\"2026\",\"enqueued_at\":1.5}  | FLOAT_SECONDS",
                "{\"created_at\":5,\"enqueued_at\":1.5}         | INTEGER_MILLIS",
                "{\"at\":1795225576.5}                          | INTEGER_MILLIS",
                "{}                                             | INTEGER_MILLIS",
            })
    void theFirstTimeInAPayloadTellsItsStyle(String json, TimeStyle style) {
        Payload payload = Payload.parse(json.getBytes(StandardCharsets.UTF_8));

        assertThat(TimeStyle.of(payload)).isEqualTo(style);
    }

    @Test
    void timesAreWrittenToTheMicrosecondOrTheMillisecond() {
        Instant time = Instant.ofEpochSecond(1_795_225_576L, 1_002_999L);

        assertThat(TimeStyle.FLOAT_SECONDS.format(time)).isEqualTo("1795225576.001002");
        assertThat(TimeStyle.INTEGER_MILLIS.format(time)).isEqualTo("1795225576001");
    }
}
