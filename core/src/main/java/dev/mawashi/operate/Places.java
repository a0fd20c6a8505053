package dev.mawashi.operate;

import dev.mawashi.wire.JobSet;
import java.util.Optional;
import java.util.stream.Stream;

/// The names of places in the record of changes.
public final class Places {
    private static final String QUEUE = "queue:";

    /// Resque's failures.
    public static final String FAILED = "failed";

    /// All processes.
    public static final String PROCESSES = "processes";

    private Places() {}

    public static String of(JobSet set) {
        return set.key();
    }

    public static String ofQueue(String queue) {
        return QUEUE + queue;
    }

    public static String ofSchedule(String schedule) {
        return "schedule:" + schedule;
    }

    /// @param key the lock's digest
    public static String ofLock(String key) {
        return "lock:" + key;
    }

    /// The set of that name.
    public static Optional<JobSet> set(String place) {
        return Stream.of(JobSet.values()).filter(set -> set.key().equals(place)).findFirst();
    }

    /// The name of the queue that it is.
    public static Optional<String> queue(String place) {
        return place.startsWith(QUEUE)
                ? Optional.of(place.substring(QUEUE.length()))
                : Optional.empty();
    }
}
