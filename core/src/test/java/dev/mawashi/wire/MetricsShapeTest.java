package dev.mawashi.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.MetricsShape.Rollup;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Keys as 7.3.9 and 8.1.5 spell them; those of a real run are in `MetricsFlushIT`.
class MetricsShapeTest {
    private static final Instant EVENING = Instant.parse("2026-11-21T21:48:03Z");

    @Test
    void theAppsSidekiqTellsTheShape() {
        assertThat(MetricsShape.of("6.5.12")).isEmpty();
        assertThat(MetricsShape.of("7.0.0")).contains(MetricsShape.SEVEN);
        assertThat(MetricsShape.of("8.1.5")).contains(MetricsShape.EIGHT);
        assertThat(MetricsShape.of("10.0")).contains(MetricsShape.EIGHT);
        assertThat(MetricsShape.of("")).as("the shipped API").contains(MetricsShape.EIGHT);
    }

    @Test
    void sidekiq7PadsTheHourOfHistogramsOnly() {
        assertThat(MetricsShape.SEVEN.rollups(EVENING))
                .containsExactly(new Rollup("j|20261121|21:48", MetricsShape.SHORT_TERM));
        assertThat(MetricsShape.SEVEN.histogram("A::B", EVENING)).isEqualTo("A::B-21-21:48");
    }

    @Test
    void sidekiq8CountsByMinuteAndByTenMinutes() {
        assertThat(MetricsShape.EIGHT.rollups(EVENING))
                .isEqualTo(
                        List.of(
                                new Rollup("j|261121|21:4", MetricsShape.MID_TERM),
                                new Rollup("j|261121|21:48", MetricsShape.SHORT_TERM)));
        assertThat(MetricsShape.EIGHT.histogram("A::B", EVENING)).isEqualTo("h|A::B-21-21:48");
    }

    @Test
    void runsByRunnerAreCountedByMinuteAndByTenMinutesToo() {
        assertThat(MetricsShape.byRunner(EVENING))
                .containsExactly(
                        new Rollup("mw:runs|261121|21:4", MetricsShape.MID_TERM),
                        new Rollup("mw:runs|261121|21:48", MetricsShape.SHORT_TERM));
    }

    @Test
    void waitsAreCountedByMinute() {
        assertThat(MetricsShape.waits(EVENING))
                .isEqualTo(new Rollup("mw:waits|261121|21:48", MetricsShape.SHORT_TERM));
    }
}
