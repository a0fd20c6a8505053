package dev.mawashi.dispatch;

import java.util.List;

/// A capsule's size and queues.
///
/// @param name what the process record shows
/// @param slots jobs that run at once, 1 to 100,000
/// @param queues in strict order, at least one, none twice
public record CapsuleSettings(String name, int slots, List<String> queues) {
    private static final int SLOTS_MAX = 100_000;

    public CapsuleSettings {
        queues = List.copyOf(queues);
        if (slots < 1 || slots > SLOTS_MAX) {
            throw new IllegalArgumentException(
                    "concurrency is " + slots + ", must be 1 to " + SLOTS_MAX);
        }
        if (queues.isEmpty()) {
            throw new IllegalArgumentException("capsule \"" + name + "\" has no queues");
        }
        if (queues.stream().distinct().count() != queues.size()) {
            throw new IllegalArgumentException(
                    "capsule \"" + name + "\" names a queue twice: " + queues);
        }
    }
}
