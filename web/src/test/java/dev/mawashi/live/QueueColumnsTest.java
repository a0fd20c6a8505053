package dev.mawashi.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.figures.Stats.QueueStats;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class QueueColumnsTest {
    private static final int ALL = QueueColumns.QUEUES_MAX;

    private final QueueColumns columns = new QueueColumns();

    static QueueStats queue(String name, long size, double latency) {
        return new QueueStats(name, size, 0, latency, false, true, true);
    }

    /// As many as have places: `q0`, `q1` and so on, each busier than the next.
    private static List<QueueStats> full() {
        List<QueueStats> queues = new ArrayList<>();
        for (int i = 0; i < ALL; i++) {
            queues.add(queue("q" + i, ALL - i, 1));
        }
        return queues;
    }

    private static QueueColumns.Placed of(List<QueueColumns.Placed> placed, String name) {
        return placed.stream()
                .filter(one -> one.queue().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theBusiestComeFirstAndKeepTheirPlaces() {
        List<QueueColumns.Placed> first =
                columns.place(
                        List.of(
                                queue("b", 1, 1),
                                queue("a", 1, 1),
                                queue("late", 1, 9),
                                new QueueStats("runs", 0, 7, 0, false, true, true)));
        assertThat(first)
                .extracting(placed -> placed.queue().name())
                .containsExactly("runs", "late", "a", "b");
        assertThat(first).extracting(QueueColumns.Placed::place).containsExactly(0, 1, 2, 3);
        assertThat(first).allMatch(QueueColumns.Placed::isNew);

        QueueColumns.Placed again = columns.place(List.of(queue("b", 99, 1))).getFirst();
        assertThat(again.place()).isEqualTo(3);
        assertThat(again.isNew()).isFalse();
        assertThat(columns.places()).containsKeys("runs", "late", "a", "b");
    }

    @Test
    void eachPlaceHasTwoColumnsAfterTheGauges() {
        assertThat(QueueColumns.depth(0)).isEqualTo(Gauge.COUNT);
        assertThat(QueueColumns.age(0)).isEqualTo(Gauge.COUNT + 1);
        assertThat(QueueColumns.depth(1)).isEqualTo(Gauge.COUNT + 2);
    }

    @Test
    void aBusierQueueTakesOverThePlaceOfTheOneSampledForLongestOfThoseNotWanted() {
        columns.place(full());
        List<QueueStats> changed = new ArrayList<>(full());
        changed.set(3, queue("q3", 0, 0));
        changed.set(5, queue("q5", 0, 0));
        changed.add(queue("new", 1_000, 1));
        changed.add(queue("newer", 999, 1));
        List<QueueColumns.Placed> placed = columns.place(changed);

        assertThat(placed).hasSize(ALL);
        assertThat(of(placed, "new")).extracting("place", "isNew").containsExactly(3, true);
        assertThat(of(placed, "newer")).extracting("place", "isNew").containsExactly(5, true);
        assertThat(placed).extracting(QueueColumns.Placed::place).doesNotHaveDuplicates();
        assertThat(columns.places()).hasSize(ALL).doesNotContainKeys("q3", "q5");

        changed.set(3, queue("q3", 2_000, 1));
        assertThat(of(columns.place(changed), "q3").isNew()).isTrue();
    }

    @Test
    void aQueueThatIsNotBusyEnoughGetsNoPlace() {
        List<QueueStats> more =
                Stream.concat(full().stream(), Stream.of(queue("idle", 0, 0))).toList();
        assertThat(columns.place(more))
                .extracting(one -> one.queue().name())
                .doesNotContain("idle");
        assertThat(columns.places()).hasSize(ALL).doesNotContainKey("idle");
    }

    @Test
    void aNameThatIsTooLongGetsNoPlace() {
        String longest = "n".repeat(QueueColumns.NAME_MAX);
        columns.place(List.of(queue(longest + "n", 9, 1), queue(longest, 1, 1)));
        assertThat(columns.places()).containsOnlyKeys(longest);
    }
}
