package dev.mawashi.dispatch;

import dev.mawashi.fetch.QueueOrder;

/// A capsule's size and queues.
///
/// @param name what the process record shows
/// @param slots jobs that run at once, 1 to 100,000
/// @param limits how long jobs may run
public record CapsuleSettings(String name, int slots, QueueOrder queues, TimeLimits limits) {
    public static final int SLOTS_MAX = 100_000;

    public CapsuleSettings {
        if (slots < 1 || slots > SLOTS_MAX) {
            throw new IllegalArgumentException(
                    "concurrency is " + slots + ", must be 1 to " + SLOTS_MAX);
        }
    }

    /// Without limits.
    public CapsuleSettings(String name, int slots, QueueOrder queues) {
        this(name, slots, queues, TimeLimits.NONE);
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
