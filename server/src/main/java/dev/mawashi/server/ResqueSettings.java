package dev.mawashi.server;

import dev.mawashi.config.CapsulePlan;
import dev.mawashi.config.Origins;
import dev.mawashi.config.ResqueChoice;
import dev.mawashi.dispatch.TimeLimits;
import dev.mawashi.fetch.QueuePatterns;
import dev.mawashi.wire.ResqueKeys;
import java.util.Map;
import java.util.Objects;

/// Settings of a server for Resque's queues.
///
/// @param plan how their jobs are run; names no queues, since they come and go
/// @param limits how long they may run
/// @param isFailureListPerQueue whether each queue has a failure list of its own
/// @param origins where queues, namespace and time limits came from
/// @param lockPrefix resque-scheduler's `RESQUE_SCHEDULER_MASTER_LOCK_PREFIX`, "" when there is
///   none
public record ResqueSettings(
        QueuePatterns queues,
        ResqueKeys keys,
        CapsulePlan plan,
        TimeLimits limits,
        boolean isFailureListPerQueue,
        Origins origins,
        String lockPrefix) {
    private static final String PER_QUEUE = "redis_multi_queue";

    public ResqueSettings {
        Objects.requireNonNull(queues, "queues");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(lockPrefix, "lockPrefix");
    }

    /// Joins the choice with what Resque and resque-scheduler read from the environment.
    ///
    /// @param choice names queues
    /// @throws IllegalArgumentException when `FAILURE_BACKEND` is unknown, or the choice is not
    ///   valid
    public static ResqueSettings of(
            ResqueChoice choice, CapsulePlan plan, Map<String, String> environment) {
        String backend = environment.getOrDefault("FAILURE_BACKEND", "redis");
        if (!backend.equals("redis") && !backend.equals(PER_QUEUE)) {
            throw new IllegalArgumentException(
                    "FAILURE_BACKEND is " + backend + ", must be redis or " + PER_QUEUE);
        }
        String namespace = choice.namespace();
        return new ResqueSettings(
                new QueuePatterns(Objects.requireNonNull(choice.queues(), "queues")),
                namespace == null ? ResqueKeys.DEFAULT : new ResqueKeys(namespace),
                plan,
                Limits.ofTime(choice.timeLimits(), plan.settings().limits().timeSeconds()),
                backend.equals(PER_QUEUE),
                choice.origins(),
                environment.getOrDefault("RESQUE_SCHEDULER_MASTER_LOCK_PREFIX", ""));
    }
}
