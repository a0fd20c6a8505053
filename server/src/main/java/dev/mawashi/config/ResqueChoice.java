package dev.mawashi.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which of Resque's queues to work on, and by what their jobs are run: the section `resque` of
/// `config/mawashi.yml` joined with flags.
///
/// @param queues in the form of Resque's `QUEUES`; null for none
/// @param namespace of Resque's keys; null for the one of an app that has set none
/// @param pool how the jobs of all these queues are run
/// @param timeLimits seconds that a job may run, over 0, by its queue; they win over the pool's
public record ResqueChoice(
        @Nullable String queues,
        @Nullable String namespace,
        PoolSettings pool,
        Map<String, Double> timeLimits) {
    public static final ResqueChoice NONE =
            new ResqueChoice(null, null, PoolSettings.NONE, Map.of());

    private static final String NAME = "resque";

    public ResqueChoice {
        timeLimits = Map.copyOf(timeLimits);
    }

    /// The same with what flags say.
    public ResqueChoice with(@Nullable String queuesFlag, @Nullable String namespaceFlag) {
        return new ResqueChoice(
                queuesFlag == null ? queues : queuesFlag,
                namespaceFlag == null ? namespace : namespaceFlag,
                pool,
                timeLimits);
    }

    /// The pool of their slots. Its queues are found while it runs.
    ///
    /// @param all settings where this says nothing; the runner is set. Their concurrency does not
    ///   count: Resque's jobs have run one to a process, and go on to do so until somebody says of
    ///   them that they need not
    /// @param concurrency what a flag says of all pools
    public CapsulePlan plan(PoolSettings all, @Nullable Integer concurrency) {
        Integer own = pool.concurrency();
        int flag = concurrency == null ? 1 : concurrency;
        return new CapsulePlan(
                NAME, own == null ? flag : own, new LinkedHashMap<>(), pool.over(all));
    }
}
