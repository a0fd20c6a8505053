package dev.mawashi.fetch;

import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// A capsule's queues without those that are paused.
public record OpenQueues(QueueOrder order, Pauses pauses) {

    /// All of them, paused or not.
    List<String> names() {
        return order.names();
    }

    /// Which are paused, for the whole of one claim.
    Set<String> paused() {
        return pauses.queues();
    }

    boolean isPaused(String queue) {
        return pauses.queues().contains(queue);
    }

    /// The order for one claim.
    List<String> next(RandomGenerator random, Set<String> paused) {
        List<String> all = order.next(random);
        return paused.isEmpty() ? all : without(all, paused);
    }

    /// Those that are not paused, in the order given.
    List<String> open() {
        return open(names());
    }

    /// Those of some of them that are not paused, in the order given.
    List<String> open(List<String> some) {
        return without(some, paused());
    }

    private static List<String> without(List<String> queues, Set<String> paused) {
        return queues.stream().filter(queue -> !paused.contains(queue)).toList();
    }
}
