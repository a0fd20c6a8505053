package dev.mawashi.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TrendTest {
    private static final double PERIOD = 100;
    private static final List<Double> TIMES =
            IntStream.range(0, 600).mapToObj(second -> (double) second).toList();

    private static List<Double> values(DoubleUnaryOperator figure) {
        return TIMES.stream().map(figure::applyAsDouble).toList();
    }

    private static double saw(double time) {
        return 50 * (1 - Math.exp(-(time % PERIOD) / 10));
    }

    @Test
    void whatEachRestartBringsIsNoTrend() {
        Trend trend = Trend.across(TIMES, values(time -> 100 + saw(time)), PERIOD);

        assertThat(trend.perSecond()).isCloseTo(0, within(1e-9));
        assertThat(trend.isAbove(0, 600)).isFalse();
    }

    @Test
    void whatNoRestartTakesBackIsOneFromPeriodToPeriod() {
        Trend trend = Trend.across(TIMES, values(time -> 100 + saw(time) + time / 60), PERIOD);

        assertThat(trend.perSecond()).isCloseTo(1 / 60.0, within(1e-9));
        assertThat(trend.percent(600)).isCloseTo(1_000 / trend.mean(), within(1e-6));
        assertThat(trend.isAbove(5, 600)).isTrue();
        assertThat(trend.isAbove(9, 600)).isFalse();
    }

    @Test
    void whatARestartTakesBackIsOneWithinPeriods() {
        List<Double> leak = values(time -> 100 + time % PERIOD);

        assertThat(Trend.across(TIMES, leak, PERIOD).isAbove(1, 600)).isFalse();
        assertThat(Trend.within(TIMES, leak, PERIOD).perSecond()).isCloseTo(1, within(1e-9));
        assertThat(Trend.within(TIMES, leak, PERIOD).isAbove(30, 50)).isTrue();
    }

    /// One slope in twenty is beyond two errors, half of those upwards.
    @Test
    void chanceIsSeldomTakenForGrowth() {
        SplittableRandom random = new SplittableRandom(3);
        int found = 0;
        for (int i = 0; i < 1_000; i++) {
            List<Double> noise = values(time -> 100 + saw(time) + 5 * random.nextGaussian());
            found += Trend.across(TIMES, noise, PERIOD).isAbove(0, 600) ? 1 : 0;
            found += Trend.within(TIMES, noise, PERIOD).isAbove(0, 50) ? 1 : 0;
        }

        assertThat(found).isBetween(10, 100);
    }

    @Test
    void onePeriodHasNoTrend() {
        List<Double> few = TIMES.subList(0, 100);

        assertThatThrownBy(() -> Trend.across(few, few, PERIOD))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Trend.within(few.subList(0, 5), few.subList(0, 5), PERIOD))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
