package dev.mawashi.server;

import dev.mawashi.fetch.QueuePatterns;
import dev.mawashi.wire.ResqueKeys;
import java.util.Map;
import java.util.Objects;

/// Which of Resque's queues a server works on, and how.
///
/// @param concurrency jobs that run at once, in each process with the mri runner
/// @param isFailureListPerQueue whether each queue has a failure list of its own
/// @param lockPrefix resque-scheduler's `RESQUE_SCHEDULER_MASTER_LOCK_PREFIX`, "" when there is
///   none
public record ResqueSettings(
        QueuePatterns queues,
        ResqueKeys keys,
        int concurrency,
        boolean isFailureListPerQueue,
        String lockPrefix) {
    private static final String PER_QUEUE = "redis_multi_queue";

    public ResqueSettings {
        Objects.requireNonNull(queues, "queues");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(lockPrefix, "lockPrefix");
    }

    /// With what Resque and resque-scheduler take from the environment.
    ///
    /// @throws IllegalArgumentException when `FAILURE_BACKEND` names what is not known
    public static ResqueSettings of(
            QueuePatterns queues,
            ResqueKeys keys,
            int concurrency,
            Map<String, String> environment) {
        String backend = environment.getOrDefault("FAILURE_BACKEND", "redis");
        if (!backend.equals("redis") && !backend.equals(PER_QUEUE)) {
            throw new IllegalArgumentException(
                    "FAILURE_BACKEND is " + backend + ", must be redis or " + PER_QUEUE);
        }
        return new ResqueSettings(
                queues,
                keys,
                concurrency,
                backend.equals(PER_QUEUE),
                environment.getOrDefault("RESQUE_SCHEDULER_MASTER_LOCK_PREFIX", ""));
    }
}
