package dev.mawashi.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QueueOrderTest {
    private static QueueOrder order(Object... namesAndWeights) {
        SequencedMap<String, Integer> weights = new LinkedHashMap<>();
        for (int i = 0; i < namesAndWeights.length; i += 2) {
            weights.put((String) namesAndWeights[i], (Integer) namesAndWeights[i + 1]);
        }
        return new QueueOrder(weights);
    }

    /// How often each queue came first in 30,000 draws.
    private static Map<String, Integer> firsts(QueueOrder order) {
        Random random = new Random(7);
        Map<String, Integer> firsts = new TreeMap<>();
        for (int i = 0; i < 30_000; i++) {
            firsts.merge(order.next(random, List.of()).getFirst(), 1, Integer::sum);
        }
        return firsts;
    }

    @Test
    void withoutWeightsTheOrderIsTheOneGiven() {
        QueueOrder order = order("z", 0, "a", 0, "m", 0);

        assertThat(order.mode()).isEqualTo(QueueOrder.Mode.STRICT);
        assertThat(order.next(new Random(1), List.of())).containsExactly("z", "a", "m");
    }

    @Test
    void aQueueComesFirstAsOftenAsItsShareOfTheWeights() {
        QueueOrder order = order("high", 6, "low", 3, "unweighted", 0);

        assertThat(order.mode()).isEqualTo(QueueOrder.Mode.WEIGHTED);
        Map<String, Integer> firsts = firsts(order);
        assertThat(firsts.getOrDefault("high", 0)).isBetween(17_600, 18_400);
        assertThat(firsts.getOrDefault("low", 0)).isBetween(8_600, 9_400);
        assertThat(firsts.getOrDefault("unweighted", 0)).isBetween(2_600, 3_400);
    }

    @Test
    void weightsOfOneMakeAllOrdersAsLikely() {
        QueueOrder order = order("a", 1, "b", 1);

        assertThat(order.mode()).isEqualTo(QueueOrder.Mode.RANDOM);
        assertThat(firsts(order).getOrDefault("a", 0)).isBetween(14_600, 15_400);
    }

    @Test
    void everyDrawHoldsEachQueueOnce() {
        QueueOrder order = order("a", 1_000_000, "b", 1, "c", 5);
        Random random = new Random(3);
        for (int i = 0; i < 100; i++) {
            assertThat(order.next(random, List.of())).containsExactlyInAnyOrder("a", "b", "c");
        }
    }

    @Test
    void whatIsNoOrderIsRefused() {
        assertThatThrownBy(() -> QueueOrder.strict(List.of())).hasMessage("there are no queues");
        assertThatThrownBy(() -> QueueOrder.strict(List.of("a", "a")))
                .hasMessage("queue \"a\" is named twice");
        assertThatThrownBy(() -> order(" ", 0)).hasMessage("a queue has no name");
        assertThatThrownBy(() -> order("a", -1))
                .hasMessage("queue \"a\" has weight -1, must be 0 to 1000000");
    }
}
