package dev.mawashi.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.MetricsShape;
import org.junit.jupiter.api.Test;

class RunnerKindTest {
    @Test
    void runsOfEachKindAreReadByRunner() {
        assertThat(MetricsShape.RUNNERS).containsExactlyElementsOf(RunnerKind.words());
    }
}
