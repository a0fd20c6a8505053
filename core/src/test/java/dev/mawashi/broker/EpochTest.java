package dev.mawashi.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class EpochTest {
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final long HOUR = Duration.ofHours(1).toNanos();

    private final Epoch epoch = new Epoch("me");
    private final long now = System.nanoTime();

    @Test
    void itIsSteadyBeforeItsFirstLeaseAndWhileItIsRenewedInTime() {
        assertThat(epoch.isSteady(now, GRACE)).isTrue();
        epoch.leasedUntil(now + HOUR);
        epoch.leasedUntil(now + 2 * HOUR);
        assertThat(epoch.isSteady(now, GRACE)).isTrue();
    }

    @Test
    void afterALapseItIsSteadyOnceTheLeaseHasBeenGoodForAWhile() {
        epoch.leasedUntil(now - HOUR);
        assertThat(epoch.isSteady(now, GRACE)).isFalse();

        epoch.leasedUntil(now + HOUR);

        assertThat(epoch.isSteady(System.nanoTime(), GRACE.multipliedBy(60))).isFalse();
        assertThat(epoch.isSteady(now + HOUR / 2, GRACE)).isTrue();
    }
}
