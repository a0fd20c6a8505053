package dev.mawashi.children;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Spreads the slots of each lane over the children of a pool: evenly, and the rest to the children
/// that have the fewest slots of all lanes.
final class Lanes {
    private final int processes;

    /// Of each lane its slots in each child. Only added to, before the children are forked.
    private final List<List<Integer>> lanes = new ArrayList<>();

    Lanes(int processes) {
        this.processes = processes;
    }

    /// @return its number
    int add(int slots) {
        List<Integer> spread = new ArrayList<>(Collections.nCopies(processes, slots / processes));
        IntStream.range(0, processes)
                .boxed()
                .sorted(Comparator.comparingInt(this::sum))
                .limit(slots % processes)
                .forEach(child -> spread.set(child, spread.get(child) + 1));
        lanes.add(List.copyOf(spread));
        return lanes.size() - 1;
    }

    private int sum(int child) {
        return lanes.stream().mapToInt(lane -> lane.get(child)).sum();
    }

    int count() {
        return lanes.size();
    }

    /// All slots of a lane.
    int slots(int lane) {
        return lanes.get(lane).stream().mapToInt(slots -> slots).sum();
    }

    /// The slots of each lane in one child.
    List<Integer> at(int child) {
        return lanes.stream().map(lane -> lane.get(child)).toList();
    }

    /// Those of a child that has one slot, of this lane.
    List<Integer> alone(int lane) {
        return IntStream.range(0, lanes.size()).mapToObj(one -> one == lane ? 1 : 0).toList();
    }
}
