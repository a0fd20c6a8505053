package dev.mawashi.live;

import dev.mawashi.figures.Stats.QueueStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The columns of the sampled queues, which are the busiest ones. A queue keeps its columns until
/// busier ones need them. Not safe for threads.
final class QueueColumns {
    static final int QUEUES_MAX = 50;

    /// A longer name is a mistake, or malice; it is on the page of queues, but in no plot.
    static final int NAME_MAX = 200;

    private static final Comparator<QueueStats> BUSIEST =
            Comparator.comparingLong((QueueStats queue) -> queue.size() + queue.inFlight())
                    .thenComparingDouble(QueueStats::latencySeconds)
                    .reversed()
                    .thenComparing(QueueStats::name);

    private final Map<String, Integer> places = new LinkedHashMap<>();

    /// A queue that is sampled, and its place from 0 on.
    record Placed(QueueStats queue, int place, boolean isNew) {}

    /// The queues to sample of these.
    List<Placed> place(List<QueueStats> queues) {
        List<QueueStats> wanted =
                queues.stream()
                        .filter(queue -> queue.name().length() <= NAME_MAX)
                        .sorted(BUSIEST)
                        .limit(QUEUES_MAX)
                        .toList();
        Set<String> names = new HashSet<>();
        wanted.forEach(queue -> names.add(queue.name()));
        List<Placed> placed = new ArrayList<>();
        for (QueueStats queue : wanted) {
            Integer known = places.get(queue.name());
            int place = known == null ? free(names) : known;
            places.put(queue.name(), place);
            placed.add(new Placed(queue, place, known == null));
        }
        return placed;
    }

    /// A place that nobody has, or that of the queue which has been sampled for longest among those
    /// not wanted now.
    private int free(Set<String> wanted) {
        if (places.size() < QUEUES_MAX) {
            return places.size();
        }
        String left =
                places.keySet().stream()
                        .filter(name -> !wanted.contains(name))
                        .findFirst()
                        .orElseThrow();
        return Objects.requireNonNull(places.remove(left));
    }

    /// All that have a place.
    Map<String, Integer> places() {
        return places;
    }

    /// The first of a queue's two columns.
    static int depth(int place) {
        return Gauge.COUNT + 2 * place;
    }

    static int age(int place) {
        return depth(place) + 1;
    }
}
