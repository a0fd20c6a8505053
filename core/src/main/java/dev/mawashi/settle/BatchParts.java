package dev.mawashi.settle;

import dev.mawashi.broker.Settled;
import dev.mawashi.broker.Settlement;
import java.util.ArrayList;
import java.util.List;

/// The two parts of a batch of which one settlement cannot be sent.
final class BatchParts {
    private BatchParts() {}

    /// In the order in which they have to be sent. Jobs that arrived come first: what came of them
    /// finds nothing before they are in flight. Of the others the newer half comes first, as jobs
    /// that go back to their queue's head have to.
    ///
    /// @param batch two at least
    static List<List<Settled>> of(List<Settled> batch) {
        List<Settled> arrivals = new ArrayList<>();
        List<Settled> others = new ArrayList<>();
        for (Settled one : batch) {
            (one.settlement() instanceof Settlement.Arrived ? arrivals : others).add(one);
        }
        if (!arrivals.isEmpty() && !others.isEmpty()) {
            return List.of(arrivals, others);
        }
        int half = batch.size() / 2;
        return List.of(batch.subList(half, batch.size()), batch.subList(0, half));
    }
}
