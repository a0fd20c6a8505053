package dev.mawashi.config;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Settings of a pool of jobs; null where file and flags have none.
///
/// @param runner what runs them
/// @param processes Ruby processes, 1 to `PROCESSES_MAX`
/// @param concurrency jobs that run at once, 1 to `CONCURRENCY_MAX`; see `CapsulePlans` where
/// @param isVirtual whether jobs run on virtual threads
/// @param limits when a job is stopped or a process replaced
/// @param origins where they came from, by their keys in `config/mawashi.yml`
public record PoolSettings(
        @Nullable RunnerKind runner,
        @Nullable Integer processes,
        @Nullable Integer concurrency,
        @Nullable Boolean isVirtual,
        Limits limits,
        Origins origins) {
    public static final int PROCESSES_MAX = 1_000;
    public static final int CONCURRENCY_MAX = 100_000;
    public static final PoolSettings NONE = new PoolSettings(null, null, null, null, Limits.NONE);

    /// Settings that came from nowhere in particular.
    public PoolSettings(
            @Nullable RunnerKind runner,
            @Nullable Integer processes,
            @Nullable Integer concurrency,
            @Nullable Boolean isVirtual,
            Limits limits) {
        this(runner, processes, concurrency, isVirtual, limits, Origins.NONE);
    }

    /// @param timeSeconds how long a job may run, over 0
    /// @param memoryMegabytes what a Ruby process may take, from 1
    /// @param recycleJobs jobs after which a Ruby process is replaced, from 1
    /// @param recycleHours age at which a Ruby process is replaced, over 0
    public record Limits(
            @Nullable Double timeSeconds,
            @Nullable Integer memoryMegabytes,
            @Nullable Integer recycleJobs,
            @Nullable Double recycleHours) {
        public static final Limits NONE = new Limits(null, null, null, null);

        /// This, with `others` in place of what is null here.
        Limits over(Limits others) {
            return new Limits(
                    first(timeSeconds, others.timeSeconds),
                    first(memoryMegabytes, others.memoryMegabytes),
                    first(recycleJobs, others.recycleJobs),
                    first(recycleHours, others.recycleHours));
        }
    }

    /// This, with `others` in place of what is null here.
    public PoolSettings over(PoolSettings others) {
        return new PoolSettings(
                first(runner, others.runner),
                first(processes, others.processes),
                first(concurrency, others.concurrency),
                first(isVirtual, others.isVirtual),
                limits.over(others.limits),
                origins.over(others.origins));
    }

    /// The same, with places for keys that have none.
    PoolSettings from(Origins others) {
        return new PoolSettings(
                runner, processes, concurrency, isVirtual, limits, origins.over(others));
    }

    /// The same, its concurrency being from this place; "" for none.
    PoolSettings concurrencyFrom(String place) {
        return new PoolSettings(
                runner,
                processes,
                concurrency,
                isVirtual,
                limits,
                origins.with("concurrency", place));
    }

    /// The same with other limits.
    PoolSettings limited(Limits others) {
        return new PoolSettings(runner, processes, concurrency, isVirtual, others, origins);
    }

    private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
        return one == null ? other : one;
    }

    /// Whether a queue with these settings needs slots of its own. One that only limits time can
    /// share the slots of other queues.
    boolean needsOwnSlots() {
        return !equals(
                new PoolSettings(
                        null, null, null, null, new Limits(limits.timeSeconds, null, null, null)));
    }

    /// Whether what is said here is of Ruby processes, which others then cannot share.
    boolean needsOwnProcesses() {
        return processes != null
                || limits.memoryMegabytes != null
                || limits.recycleJobs != null
                || limits.recycleHours != null;
    }

    /// The runner, in settings where it is set.
    public RunnerKind kind() {
        return Objects.requireNonNull(runner);
    }
}
