package dev.mawashi.config;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The choice of Resque's queues and of their runner: the section `resque` of `config/mawashi.yml`
/// joined with flags.
///
/// @param queues in the form of Resque's `QUEUES`; null for none
/// @param namespace of Resque's keys; null for Resque's default
/// @param pool how the jobs of all these queues are run
/// @param timeLimits seconds that a job may run, over 0, by its queue; they win over the pool's
/// @param origins where `queues`, `namespace` and `time_limits` came from
public record ResqueChoice(
        @Nullable String queues,
        @Nullable String namespace,
        PoolSettings pool,
        Map<String, Double> timeLimits,
        Origins origins) {
    public static final ResqueChoice NONE =
            new ResqueChoice(null, null, PoolSettings.NONE, Map.of(), Origins.NONE);

    private static final String NAME = "resque";

    public ResqueChoice {
        timeLimits = Map.copyOf(timeLimits);
    }

    /// This choice, with the flags' values in place of the file's.
    public ResqueChoice with(@Nullable String queuesFlag, @Nullable String namespaceFlag) {
        Map<String, String> places = new HashMap<>();
        if (queuesFlag != null) {
            places.put("queues", "--resque");
        }
        if (namespaceFlag != null) {
            places.put("namespace", "--resque-namespace");
        }
        return new ResqueChoice(
                queuesFlag == null ? queues : queuesFlag,
                namespaceFlag == null ? namespace : namespaceFlag,
                pool,
                timeLimits,
                Origins.of(places).over(origins));
    }

    /// The capsule for Resque's queues. It names none, since the server finds them while it runs.
    ///
    /// @param all settings where this choice says nothing; the runner is set. Its concurrency does
    ///   not count: Resque runs one job at a time, and so does the capsule unless the section or
    ///   `-c` asks for more
    /// @param concurrency the value of `-c`; null without it
    public CapsulePlan plan(PoolSettings all, @Nullable Integer concurrency) {
        PoolSettings settings = pool.over(all);
        Integer wanted = pool.concurrency() == null ? concurrency : pool.concurrency();
        settings =
                settings.concurrencyFrom(
                        pool.concurrency() == null
                                ? concurrency == null ? "" : "-c"
                                : pool.origins().place("concurrency", ""));
        if (wanted == null && settings.kind().hasProcesses() && settings.processes() == null) {
            // As many processes as usual, each with one job.
            wanted = Runtime.getRuntime().availableProcessors();
        }
        boolean isEach = settings.processes() != null;
        return new CapsulePlan.Draft(
                        NAME,
                        wanted == null ? 1 : wanted,
                        isEach,
                        new LinkedHashMap<>(),
                        settings,
                        true)
                .plan(0);
    }
}
