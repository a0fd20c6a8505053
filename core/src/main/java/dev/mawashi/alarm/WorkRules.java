package dev.mawashi.alarm;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// Judges children and runs of this process. One thread's.
final class WorkRules {
    /// As long as the alert rules look back.
    private static final Duration SPAN = Duration.ofMinutes(10);

    /// A job that kills its child is in hand at up to three deaths, and is dealt with then.
    private static final int LOST_MAX = 3;

    /// The app's caches and pools have filled by then.
    private static final Duration MEMORY_SETTLES = Duration.ofMinutes(10);

    /// Twice as much as then is no cache; so much more, in a small child.
    private static final int MEMORY_FACTOR = 2;

    private static final long MEMORY_MORE_KIB = 100 << 10;

    private final Recent lost = new Recent(SPAN);
    private final Recent late = new Recent(SPAN);
    private final Recent suspected = new Recent(SPAN);
    private final Map<Long, Settled> children = new HashMap<>();

    /// The most memory of a child until it has settled.
    private record Settled(Duration first, long kib) {
        Settled with(long more) {
            return new Settled(first, Math.max(kib, more));
        }
    }

    /// Adds the alarms that stand, each with its figure.
    void judge(Reading reading, Map<Alarm, String> standing) {
        lost.add(reading.at(), reading.lost());
        late.add(reading.at(), reading.late());
        suspected.add(reading.at(), reading.suspected());
        if (lost.growth() > LOST_MAX) {
            standing.put(Alarm.CHILDREN_DIE, inSpan(lost));
        }
        if (late.growth() > 0) {
            standing.put(Alarm.SETTLED_LATE, inSpan(late));
        }
        if (suspected.growth() > 0) {
            standing.put(Alarm.SUSPECTS, inSpan(suspected));
        }
        children.keySet().retainAll(reading.children().keySet());
        reading.children().forEach((pid, kib) -> child(reading.at(), pid, kib, standing));
    }

    private static String inSpan(Recent recent) {
        return recent.growth() + " within " + SPAN.toMinutes() + " minutes";
    }

    private void child(Duration at, long pid, long kib, Map<Alarm, String> standing) {
        Settled before = children.computeIfAbsent(pid, _ -> new Settled(at, kib));
        if (at.minus(before.first()).compareTo(MEMORY_SETTLES) < 0) {
            children.put(pid, before.with(kib));
        } else if (kib >= MEMORY_FACTOR * before.kib() && kib - before.kib() >= MEMORY_MORE_KIB) {
            standing.put(
                    Alarm.CHILDREN_GROW,
                    "child %d has %d MiB, in its first %d minutes at most %d"
                            .formatted(
                                    pid,
                                    kib >> 10,
                                    MEMORY_SETTLES.toMinutes(),
                                    before.kib() >> 10));
        }
    }
}
