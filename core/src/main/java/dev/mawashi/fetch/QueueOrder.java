package dev.mawashi.fetch;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.random.RandomGenerator;

/// A capsule's queues and in what order to look into them, by Sidekiq's rules (7.0,
/// `capsule.rb#queues=`): strict when no queue has a weight, otherwise drawn anew for each claim.
/// Immutable.
public final class QueueOrder {
    /// No queue at all.
    public static final QueueOrder NONE = new QueueOrder();

    private static final int WEIGHT_MAX = 1_000_000;

    /// As the process record names it, in lower case.
    public enum Mode {
        /// The order given: a queue is looked into when all before it are empty.
        STRICT,
        /// All orders are as likely.
        RANDOM,
        /// A queue comes first as often as its share of all weights.
        WEIGHTED
    }

    private record Draw(String queue, double rank) {}

    private final SequencedMap<String, Integer> weights;
    private final List<String> names;
    private final Mode mode;

    /// @param weights queues in the order given, at least one; 0 to 1,000,000 each. In a drawn
    ///   order 0 counts as 1
    /// @throws IllegalArgumentException when there is no queue, one has no name, or a weight is out
    ///   of range
    public QueueOrder(SequencedMap<String, Integer> weights) {
        this.weights = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(weights));
        if (weights.isEmpty()) {
            throw new IllegalArgumentException("there are no queues");
        }
        weights.forEach(QueueOrder::check);
        // Kept, since `next` is asked for each claim.
        names = List.copyOf(weights.keySet());
        mode = modeOf(weights.values());
    }

    private QueueOrder() {
        weights = Collections.unmodifiableSequencedMap(new LinkedHashMap<>());
        names = List.of();
        mode = Mode.STRICT;
    }

    private static void check(String queue, int weight) {
        if (queue.isBlank()) {
            throw new IllegalArgumentException("a queue has no name");
        }
        if (weight < 0 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "queue \""
                            + queue
                            + "\" has weight "
                            + weight
                            + ", must be 0 to "
                            + WEIGHT_MAX);
        }
    }

    /// Queues in strict order, none twice.
    public static QueueOrder strict(List<String> queues) {
        SequencedMap<String, Integer> weights = new LinkedHashMap<>();
        for (String queue : queues) {
            if (weights.put(queue, 0) != null) {
                throw new IllegalArgumentException("queue \"" + queue + "\" is named twice");
            }
        }
        return new QueueOrder(weights);
    }

    private static Mode modeOf(Collection<Integer> weights) {
        if (weights.stream().allMatch(weight -> weight == 0)) {
            return Mode.STRICT;
        }
        boolean isEven = weights.stream().allMatch(weight -> weight == 1);
        return isEven ? Mode.RANDOM : Mode.WEIGHTED;
    }

    /// Queues in the order given, each with its weight.
    public SequencedMap<String, Integer> weights() {
        return weights;
    }

    public Mode mode() {
        return mode;
    }

    /// Names in the order given.
    public List<String> names() {
        return names;
    }

    /// The order for one claim.
    ///
    /// Weighted sampling without replacement by Efraimidis and Spirakis: the same odds as to
    /// shuffle a list that holds each queue as often as its weight, for any weight at one draw a
    /// queue.
    List<String> next(RandomGenerator random) {
        if (mode == Mode.STRICT) {
            return names;
        }
        return weights.entrySet().stream()
                .map(entry -> new Draw(entry.getKey(), rank(entry, random)))
                .sorted(Comparator.comparingDouble(Draw::rank))
                .map(Draw::queue)
                .toList();
    }

    private static double rank(Map.Entry<String, Integer> queue, RandomGenerator random) {
        int weight = Math.max(1, Objects.requireNonNull(queue.getValue()));
        return random.nextExponential() / weight;
    }
}
