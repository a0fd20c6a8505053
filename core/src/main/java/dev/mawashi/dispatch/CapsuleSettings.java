package dev.mawashi.dispatch;

import dev.mawashi.fetch.QueueOrder;

/// A capsule's size and queues, as they are now.
///
/// @param name what the process record shows
/// @param slots jobs that run at once, 1 to 100,000
/// @param queues those that it claims from, see `Capsule.serve`
/// @param limits how long jobs may run
public record CapsuleSettings(
        String name, int slots, Source source, QueueOrder queues, TimeLimits limits) {
    public static final int SLOTS_MAX = 100_000;

    /// The source of a capsule's jobs.
    public enum Source {
        /// It claims them from its queues.
        QUEUES,
        /// It has no queues: the claimers of other capsules put into its buffer what `Routes` hands
        /// on.
        ROUTES
    }

    public CapsuleSettings {
        if (slots < 1 || slots > SLOTS_MAX) {
            throw new IllegalArgumentException(
                    "concurrency is " + slots + ", must be 1 to " + SLOTS_MAX);
        }
    }

    /// One that claims from queues.
    public CapsuleSettings(String name, int slots, QueueOrder queues, TimeLimits limits) {
        this(name, slots, Source.QUEUES, queues, limits);
    }

    /// The same without limits.
    public CapsuleSettings(String name, int slots, QueueOrder queues) {
        this(name, slots, queues, TimeLimits.NONE);
    }

    /// One that gets the jobs which other capsules claim for it.
    public static CapsuleSettings routed(String name, int slots, TimeLimits limits) {
        return new CapsuleSettings(name, slots, Source.ROUTES, QueueOrder.NONE, limits);
    }

    /// The same with other queues and limits.
    CapsuleSettings with(QueueOrder present, TimeLimits times) {
        return new CapsuleSettings(name, slots, source, present, times);
    }

    /// What this capsule's threads of one kind are called, less their number.
    String threadName(String kind) {
        return "mawashi-" + loopName(kind) + "-";
    }

    /// What this capsule's loop of one kind is called: with several capsules in a process, those of
    /// all but the default one bear its name.
    String loopName(String kind) {
        return name.equals("default") ? kind : kind + "-" + name;
    }
}
