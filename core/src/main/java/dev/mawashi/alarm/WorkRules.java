package dev.mawashi.alarm;

import java.time.Duration;
import java.util.Map;

/// Judges runs of this process, and the deaths of its children. One thread's.
final class WorkRules {
    /// As long as the alert rules look back.
    private static final Duration SPAN = Duration.ofMinutes(10);

    /// A job that kills its child is in hand at up to three deaths, and is dealt with then.
    private static final int LOST_MAX = 3;

    private final Recent lost = new Recent(SPAN);
    private final Recent late = new Recent(SPAN);
    private final Recent suspected = new Recent(SPAN);

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
    }

    private static String inSpan(Recent recent) {
        return recent.growth() + " within " + SPAN.toMinutes() + " minutes";
    }
}
