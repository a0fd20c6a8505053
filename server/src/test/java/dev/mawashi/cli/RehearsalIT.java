package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.embedded.EmbeddedRedis;
import org.junit.jupiter.api.Test;

final class RehearsalIT {
    /// One that failed would leave every later start without a cache.
    @Test
    void eachCommandEndsWell() {
        EmbeddedRedis redis = EmbeddedRedis.temporary(System.getenv());
        assertThat(Rehearsal.rehearse("commands", redis)).isTrue();
    }
}
