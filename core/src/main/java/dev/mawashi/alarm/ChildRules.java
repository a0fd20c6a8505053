package dev.mawashi.alarm;

import java.util.HashMap;
import java.util.Map;

/// Judges the memory and the threads of child processes. One thread's.
final class ChildRules {
    /// Twice as much as in the beginning is no cache; so much more, in a small child.
    private static final int MEMORY_FACTOR = 2;

    private static final long MEMORY_MORE_KIB = 100 << 10;

    private final Map<Long, Begun> children = new HashMap<>();

    /// The beginning of a child's figures.
    private record Begun(Beginning kib, Beginning threads) {}

    /// Adds the alarms that stand, each with its figure.
    void judge(Reading reading, Map<Alarm, String> standing) {
        children.keySet().retainAll(reading.children().keySet());
        reading.children().forEach((pid, child) -> judge(reading, pid, child, standing));
    }

    private void judge(
            Reading reading, long pid, Reading.Child child, Map<Alarm, String> standing) {
        Begun before =
                children.computeIfAbsent(
                        pid,
                        _ -> new Begun(new Beginning(reading.at()), new Beginning(reading.at())));
        long most = before.kib().most();
        if (before.kib().add(reading.at(), child.kib())
                && child.kib() >= MEMORY_FACTOR * most
                && child.kib() - most >= MEMORY_MORE_KIB) {
            standing.put(
                    Alarm.CHILDREN_GROW,
                    "child %s has %s"
                            .formatted(
                                    pid, Beginning.figure(child.kib() >> 10, " MiB", most >> 10)));
        }
        if (before.threads().isThreadLeak(reading.at(), child.threads())) {
            standing.put(
                    Alarm.THREADS_GROW,
                    "child %s has %s"
                            .formatted(
                                    pid,
                                    Beginning.figure(
                                            child.threads(), "", before.threads().most())));
        }
    }
}
