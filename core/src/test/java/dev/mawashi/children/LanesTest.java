package dev.mawashi.children;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class LanesTest {
    private static final int MOST = 6;

    private static List<Integer> sums(int processes, int... slots) {
        Lanes lanes = new Lanes(processes);
        IntStream.of(slots).forEach(lanes::add);
        return IntStream.range(0, processes)
                .mapToObj(child -> lanes.at(child).stream().mapToInt(threads -> threads).sum())
                .toList();
    }

    /// One without a slot would run nothing, and nothing would end it when it has a successor.
    @Test
    void noChildIsWithoutASlotWhereThereAreAsManySlotsAsChildren() {
        for (int processes = 1; processes <= MOST; processes++) {
            for (int code = 0; code < MOST * MOST * MOST; code++) {
                int[] slots = {1 + code % MOST, 1 + code / MOST % MOST, 1 + code / (MOST * MOST)};
                List<Integer> sums = sums(processes, slots);
                int even = IntStream.of(slots).sum() / processes;
                assertThat(sums).allMatch(sum -> sum == even || sum == even + 1);
            }
        }
    }
}
