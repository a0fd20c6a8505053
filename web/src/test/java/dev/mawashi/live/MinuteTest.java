package dev.mawashi.live;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class MinuteTest {
    private static final int OK = Gauge.OK.column();
    private static final int BUSY = Gauge.BUSY.column();

    /// One column of a queue.
    private static final int DEPTH = Gauge.COUNT;

    private final Minute minute = new Minute(Gauge.COUNT + 1);

    @BeforeEach
    void begin() {
        minute.begin(7);
    }

    private void add(float ok, float busy, float depth, float span) {
        float[] sample = new float[Gauge.COUNT + 1];
        sample[OK] = ok;
        sample[BUSY] = busy;
        sample[DEPTH] = depth;
        minute.add(sample, span);
    }

    @Test
    void aRateIsTheMeanOfItsSpansAndTheRestTheHighest() {
        add(1, 5, 3, 30);
        add(4, 2, 9, 10);
        add(0, 4, 6, 20);

        assertThat(minute.values()[OK]).isEqualTo(70f / 60);
        assertThat(minute.values()[BUSY]).isEqualTo(5);
        assertThat(minute.values()[DEPTH]).isEqualTo(9);
    }

    @Test
    void whatASampleDoesNotTellCountsForNothing() {
        add(Float.NaN, 1, Float.NaN, 10);
        assertThat(minute.values()[OK]).isNaN();
        assertThat(minute.values()[DEPTH]).isNaN();

        add(4, Float.NaN, 3, 10);
        add(Float.NaN, Float.NaN, Float.NaN, 40);
        assertThat(minute.values()[OK]).isEqualTo(4);
        assertThat(minute.values()[BUSY]).isEqualTo(1);
        assertThat(minute.values()[DEPTH]).isEqualTo(3);
    }

    @Test
    void aRateOverNoTimeCountsForNothing() {
        add(9, 1, 1, 0);
        assertThat(minute.values()[OK]).isNaN();
    }

    @Test
    void theNextMinuteBeginsWithNothing() {
        add(8, 8, 8, 50);
        float[] before = minute.values();
        minute.begin(8);

        assertThat(minute.minute()).isEqualTo(8);
        assertThat(minute.values()).containsOnly(Float.NaN);
        assertThat(before[BUSY]).isEqualTo(8);
        add(2, 1, 1, 10);
        add(4, 1, 1, 10);
        assertThat(minute.values()[OK]).isEqualTo(3);
    }

    @Test
    void aForgottenColumnBeginsAgain() {
        add(1, 1, 9, 10);
        minute.clear(DEPTH);
        assertThat(minute.values()[DEPTH]).isNaN();

        add(1, 1, 2, 10);
        assertThat(minute.values()[DEPTH]).isEqualTo(2);
    }
}
