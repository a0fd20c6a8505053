package dev.mawashi.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.RunTimeBuckets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WaitTallyTest {
    private static final InstantSource NOW =
            InstantSource.fixed(Instant.ofEpochMilli(1_795_225_660_500L));

    private final WaitTally waits = new WaitTally(true, NOW);

    private void claim(String payload, int jobs) {
        waits.claimed(payload.getBytes(UTF_8), jobs);
    }

    private Map<Integer, Long> taken() {
        Map<Integer, Long> filled = new TreeMap<>();
        for (long jobs : waits.take()) {
            filled.put(filled.size(), jobs);
        }
        assertThat(filled).hasSize(RunTimeBuckets.COUNT);
        filled.values().removeIf(jobs -> jobs == 0);
        return filled;
    }

    /// Sidekiq 8 writes milliseconds, those before it seconds.
    @ParameterizedTest
    @CsvSource({
        "1795225660500, 0",
        "1795225660481, 0",
        "1795225660480, 1",
        "1795225660.48, 1",
        "1795225325501, 24",
        "1795225325500, 25",
        "1795225660600, 0",
        "0, 25"
    })
    void aWaitGoesIntoItsBucket(String enqueuedAt, int bucket) {
        claim("{\"class\":\"A\",\"enqueued_at\":" + enqueuedAt + "}", 7);

        assertThat(taken()).isEqualTo(Map.of(bucket, 7L));
        assertThat(taken()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "",
                "no job",
                "{\"enqueued_at\":\"1\"}",
                "{\"enqueued_at\":null}",
                "{\"enqueued_at\":1e300}",
                "{\"class\":\"A\",\"args\":[{\"enqueued_at\":1}]}"
            })
    void whatDoesNotSayWhenItWasEnqueuedIsLeftOut(String payload) {
        claim(payload, 1);

        assertThat(taken()).isEmpty();
    }

    @Test
    void aLongPayloadIsNotLookedAt() {
        String longest = "{\"enqueued_at\":1}";
        claim(longest + " ".repeat(WaitTally.PAYLOAD_BYTES_MAX - longest.length()), 1);
        claim(longest + " ".repeat(WaitTally.PAYLOAD_BYTES_MAX - longest.length() + 1), 1);

        assertThat(taken()).isEqualTo(Map.of(25, 1L));
    }

    @Test
    void nothingIsCountedWhereNobodyAsks() {
        RunTallies off = new RunTallies(false);
        off.waits().claimed("{\"enqueued_at\":1}".getBytes(UTF_8), 1);

        assertThat(off.waits().take()).containsOnly(0L);
    }
}
