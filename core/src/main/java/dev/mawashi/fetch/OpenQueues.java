package dev.mawashi.fetch;

import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// A capsule's queues without those that are paused.
public record OpenQueues(QueueOrder order, Pauses pauses) {

    /// Which are paused, for the whole of one claim.
    Set<String> paused() {
        return pauses.queues();
    }

    /// The order for one claim.
    ///
    /// @param full those that may hold a job, of the rest that nobody parks at
    List<String> next(RandomGenerator random, Set<String> paused, List<String> full) {
        List<String> some = order.next(random, full);
        return paused.isEmpty() ? some : without(some, paused);
    }

    /// All that are not paused, in the order given.
    public List<String> open() {
        return without(order.names(), paused());
    }

    private static List<String> without(List<String> queues, Set<String> paused) {
        return queues.stream().filter(queue -> !paused.contains(queue)).toList();
    }
}
