package dev.mawashi.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WarmRaceTest {
    @Test
    void aRateIsFlatWhenAWindowIsAsTheOneBeforeIt() {
        assertThat(WarmRace.isFlat(steps(100, 5, 100, 6))).isFalse();
        assertThat(WarmRace.isFlat(steps(100, 6, 102, 6))).isTrue();
        assertThat(WarmRace.isFlat(steps(100, 6, 98, 6))).isTrue();
        assertThat(WarmRace.isFlat(steps(100, 6, 103, 6))).isFalse();
        assertThat(WarmRace.isFlat(steps(100, 6, 97, 6))).isFalse();
    }

    /// The start does not count once it is long ago.
    @Test
    void onlyTheLastTwoWindowsCount() {
        assertThat(WarmRace.isFlat(steps(1, 20, 100, 12))).isTrue();
        assertThat(WarmRace.isFlat(steps(1, 20, 100, 11))).isFalse();
    }

    @Test
    void aServerThatDoesNothingIsFlat() {
        assertThat(WarmRace.isFlat(steps(0, 6, 0, 6))).isTrue();
    }

    private static List<Double> steps(double early, int many, double late, int more) {
        List<Double> rates = new ArrayList<>(Collections.nCopies(many, early));
        rates.addAll(Collections.nCopies(more, late));
        return rates;
    }
}
