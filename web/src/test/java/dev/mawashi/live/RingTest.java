package dev.mawashi.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RingTest {
    private final Ring ring = new Ring(3, 2);

    private void add(int... times) {
        for (int time : times) {
            ring.add(time, new float[] {time, -time});
        }
    }

    private List<Double> times() {
        return IntStream.range(0, ring.size()).mapToObj(ring::time).toList();
    }

    private List<Float> column(int column) {
        return IntStream.range(0, ring.size()).mapToObj(row -> ring.value(column, row)).toList();
    }

    @Test
    void aNewRowTakesThePlaceOfTheOldestOnceAllAreTaken() {
        assertThat(times()).isEmpty();
        add(1, 2);
        assertThat(times()).containsExactly(1.0, 2.0);
        add(3, 4, 5, 6, 7);

        assertThat(times()).containsExactly(5.0, 6.0, 7.0);
        assertThat(column(0)).containsExactly(5f, 6f, 7f);
        assertThat(column(1)).containsExactly(-5f, -6f, -7f);
    }

    @Test
    void aSpanBeginsWithTheFirstRowThatIsNotOlder() {
        assertThat(ring.from(0)).isZero();
        add(10, 20, 30, 40);

        assertThat(ring.from(0)).isZero();
        assertThat(ring.from(30)).isEqualTo(1);
        assertThat(ring.from(30.5)).isEqualTo(2);
        assertThat(ring.from(41)).isEqualTo(3);
    }

    @Test
    void earlierRowsAreAddedWhileThereIsRoom() {
        add(8, 9);
        for (int time : new int[] {7, 6}) {
            ring.addFirst(time, new float[] {time, -time});
        }
        assertThat(times()).containsExactly(7.0, 8.0, 9.0);
        assertThat(column(1)).containsExactly(-7f, -8f, -9f);

        add(10);
        assertThat(times()).containsExactly(8.0, 9.0, 10.0);
    }

    @Test
    void aColumnIsForgottenInAllRowsAndTheOthersAreNot() {
        add(1, 2, 3, 4);
        ring.clear(1);
        add(5);

        assertThat(column(0)).containsExactly(3f, 4f, 5f);
        assertThat(column(1)).containsExactly(Float.NaN, Float.NaN, -5f);
    }
}
