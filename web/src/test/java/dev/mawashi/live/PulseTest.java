package dev.mawashi.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.mawashi.figures.Stats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PulseTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Pulse pulse = new Pulse(nanos::get);

    private Pulse.Rate after(long seconds, long processed, long failed) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
        return pulse.rate(new Stats(processed, failed, 0, 0, 0, 0, 0, List.of()));
    }

    @Test
    void theRateIsThatOfTheLastHalfMinute() {
        assertThat(after(0, 100, 10)).isEqualTo(Pulse.Rate.UNKNOWN);
        assertThat(after(2, 120, 12)).isEqualTo(new Pulse.Rate(10, 1));
        assertThat(after(2, 120, 12)).isEqualTo(new Pulse.Rate(5, 0.5));
        for (int i = 0; i < 20; i++) {
            after(2, 120, 12);
        }
        assertThat(after(2, 120, 12)).isEqualTo(new Pulse.Rate(0, 0));
    }

    /// One writes at 0, 7, 14, the other a second later: each time what it did since.
    @Test
    void theRateIsEvenHoweverSeldomProcessesWriteTheirCounters() {
        long processed = 0;
        for (int second = 0; second < 120; second++) {
            processed += second % 7 == 0 ? 700 : second % 7 == 1 ? 70 : 0;
            Pulse.Rate rate = after(1, processed, processed / 10);
            if (second > 40) {
                assertThat(rate.processed()).isCloseTo(110, withinPercentage(3));
                assertThat(rate.failed()).isCloseTo(11, withinPercentage(3));
            }
        }
    }

    @Test
    void whatBeginsAfterARestIsNotSpreadOverIt() {
        after(0, 100, 0);
        after(2, 120, 0);
        for (int i = 0; i < 100; i++) {
            after(1, 120, 0);
        }
        assertThat(after(1, 170, 0)).isEqualTo(new Pulse.Rate(5, 0));
        after(5, 220, 0);
        assertThat(after(5, 270, 0)).isEqualTo(new Pulse.Rate(10, 0));
        assertThat(after(15, 270, 0)).isEqualTo(new Pulse.Rate(10, 0));
        assertThat(after(1, 270, 0)).isEqualTo(new Pulse.Rate(0, 0));
    }

    /// As of somebody who opens the page twice: a process has written its counters in between.
    @Test
    void twoReadingsInARowAfterALongTimeDoNotMultiplyTheRate() {
        after(0, 0, 0);
        after(100, 1_000, 0);
        assertThat(after(1, 1_050, 0).processed()).isCloseTo(10, withinPercentage(5));
    }

    @Test
    void countersThatWereSetBackTellNothing() {
        after(0, 100, 10);
        assertThat(after(2, 5, 0)).isEqualTo(Pulse.Rate.UNKNOWN);
        assertThat(after(2, 25, 2)).isEqualTo(new Pulse.Rate(10, 1));
    }

    @Test
    void twoReadingsAtATimeTellNothing() {
        after(0, 100, 10);
        assertThat(after(0, 200, 10)).isEqualTo(Pulse.Rate.UNKNOWN);
    }
}
