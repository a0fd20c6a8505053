package dev.mawashi.fetch;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

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
    private final int parkedMax;
    private final List<String> parked;
    private final Mode mode;

    /// @param weights queues in the order given, at least one; 0 to 1,000,000 each. In a drawn
    ///   order 0 counts as 1
    /// @throws IllegalArgumentException when there is no queue, one has no name, or a weight is out
    ///   of range
    public QueueOrder(SequencedMap<String, Integer> weights) {
        this(weights, Arrivals.PARKED_MAX);
    }

    private QueueOrder(SequencedMap<String, Integer> weights, int parkedMax) {
        this.weights = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(weights));
        if (weights.isEmpty()) {
            throw new IllegalArgumentException("there are no queues");
        }
        weights.forEach(QueueOrder::check);
        // Kept, since `next` is asked for each claim.
        names = List.copyOf(weights.keySet());
        this.parkedMax = parkedMax;
        parked = List.copyOf(names.subList(0, Math.min(parkedMax, names.size())));
        mode = modeOf(weights.values());
    }

    private QueueOrder() {
        weights = Collections.unmodifiableSequencedMap(new LinkedHashMap<>());
        names = List.of();
        parkedMax = Arrivals.PARKED_MAX;
        parked = names;
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

    /// The same order, of which a capsule parks at fewer queues.
    ///
    /// @param most from 1 on; above 32 as 32
    public QueueOrder parkedAtMost(int most) {
        return new QueueOrder(weights, Math.min(most, Arrivals.PARKED_MAX));
    }

    /// At how many queues a capsule parks at most.
    public int parkedMax() {
        return parkedMax;
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

    /// The first of them, each of which a capsule parks a connection at.
    public List<String> parked() {
        return parked;
    }

    /// Those that there are too many of to park at.
    List<String> rest() {
        return names.subList(parked.size(), names.size());
    }

    /// The order for one claim, of the queues that are parked at and some of the rest.
    ///
    /// @param some of the rest, in the order given
    List<String> next(RandomGenerator random, List<String> some) {
        if (mode == Mode.STRICT && some.isEmpty()) {
            // The same list each time, by which claims know that their keys are the same.
            return parked;
        }
        return next(random, Stream.concat(parked.stream(), some.stream()));
    }

    /// Weighted sampling without replacement by Efraimidis and Spirakis: the same odds as to
    /// shuffle a list that holds each queue as often as its weight, for any weight at one draw a
    /// queue.
    private List<String> next(RandomGenerator random, Stream<String> some) {
        if (mode == Mode.STRICT) {
            return some.toList();
        }
        return some.map(queue -> new Draw(queue, rank(queue, random)))
                .sorted(Comparator.comparingDouble(Draw::rank))
                .map(Draw::queue)
                .toList();
    }

    private double rank(String queue, RandomGenerator random) {
        int weight = Math.max(1, Objects.requireNonNull(weights.get(queue)));
        return random.nextExponential() / weight;
    }
}
