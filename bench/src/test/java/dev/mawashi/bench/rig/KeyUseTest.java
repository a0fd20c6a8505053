package dev.mawashi.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.MetricsShape;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class KeyUseTest {
    @Test
    void keysOfMetricsAreCountedApart() {
        Instant now = Instant.parse("2026-11-24T12:00:00Z");
        KeyUse use = KeyUse.NONE.plus("mw:queues", 5).plus("stat:processed", 7);
        use = use.plus("queue:default", 100).plus("schedule", 100).plus("retry", 100);
        for (MetricsShape shape : MetricsShape.values()) {
            use = use.plus(shape.histogram("AJob", now), 100);
            for (MetricsShape.Rollup one : shape.rollups(now)) {
                use = use.plus(one.key(), 100);
            }
        }
        use = use.plus(MetricsShape.byRunner(now).getFirst().key(), 100);
        use = use.plus(MetricsShape.waits(now).key(), 100);

        assertThat(use.keys()).isEqualTo(2);
        assertThat(use.bytes()).isEqualTo(12);
        assertThat(use.metricKeys()).isGreaterThan(5);
    }
}
