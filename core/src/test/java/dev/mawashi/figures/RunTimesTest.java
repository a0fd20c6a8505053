package dev.mawashi.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.wire.RunTimeBuckets;
import org.junit.jupiter.api.Test;

final class RunTimesTest {
    private static RunTimes with(int bucket, long runs, int other, long others) {
        long[] counts = new long[RunTimeBuckets.COUNT];
        counts[bucket] += runs;
        counts[other] += others;
        return RunTimes.of(counts);
    }

    @Test
    void aPercentileIsTheBoundOfTheBucketThatItLiesIn() {
        RunTimes times = with(0, 95, 4, 5);

        assertThat(times.percentileMillis(50)).hasValue(20);
        assertThat(times.percentileMillis(95)).hasValue(20);
        assertThat(times.percentileMillis(96)).hasValue(100);
        assertThat(times.percentileMillis(100)).hasValue(100);
    }

    @Test
    void aLoneRunIsAllOfItsPercentilesAndNoneHasNone() {
        assertThat(with(2, 1, 2, 0).percentileMillis(1)).hasValue(45);
        assertThat(RunTimes.NONE.percentileMillis(99)).isEmpty();
    }

    @Test
    void whatIsBeyondAllBoundsIsToldSo() {
        assertThat(with(0, 1, RunTimeBuckets.COUNT - 1, 9).percentileMillis(50))
                .hasValue(RunTimes.BEYOND);
    }

    @Test
    void countersOfSixteenBitsAreReadAsRedisKeepsThem() {
        long[] sums = new long[RunTimeBuckets.COUNT];
        RunTimes.add(sums, new byte[] {0, 7, (byte) 0xff, (byte) 0xff, 1});

        assertThat(RunTimes.of(sums).total()).isEqualTo(7 + 65_535);
    }
}
