package dev.mawashi.alarm;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Judges this process's Java virtual machine. One thread's.
final class JvmRules {
    /// From here on collections come more and more often; the rest is gone within minutes.
    private static final double HEAP_FULL = 0.8;

    /// A fifth less work, which users notice; a healthy server is below a twentieth.
    private static final double GC_BUSY = 0.2;

    /// Longer than one large collection, which is no illness.
    private static final Duration GC_SPAN = Duration.ofMinutes(1);

    /// At nine tenths the compiler already throws code away to make room.
    private static final double CODE_FULL = 0.9;

    private static final int NAMES_MAX = 5;

    private final Recent collecting = new Recent(GC_SPAN);
    private @Nullable Beginning threads;

    /// Adds the alarms that stand, each with its figure.
    void judge(Reading reading, Map<Alarm, String> standing) {
        JvmReading jvm = reading.jvm();
        if (jvm.heapMax() > 0 && jvm.heapAfter() >= HEAP_FULL * jvm.heapMax()) {
            standing.put(Alarm.HEAP_FULL, part(jvm.heapAfter(), jvm.heapMax()));
        }
        if (jvm.codeMax() > 0 && jvm.codeUsed() >= CODE_FULL * jvm.codeMax()) {
            standing.put(Alarm.CODE_CACHE_FULL, part(jvm.codeUsed(), jvm.codeMax()));
        }
        if (!jvm.deadlocked().isEmpty()) {
            standing.put(Alarm.DEADLOCK, names(jvm));
        }
        collections(reading, standing);
        threads(reading, standing);
    }

    private static String part(long used, long max) {
        return "%s %% of %s MiB".formatted(Math.round(100.0 * used / max), max >> 20);
    }

    private static String names(JvmReading jvm) {
        int more = jvm.deadlocked().size() - NAMES_MAX;
        return String.join(", ", jvm.deadlocked().stream().limit(NAMES_MAX).toList())
                + (more > 0 ? " and " + more + " more" : "");
    }

    private void collections(Reading reading, Map<Alarm, String> standing) {
        collecting.add(reading.at(), reading.jvm().collecting().toMillis());
        Duration time = collecting.time();
        double share = collecting.growth() / (double) Math.max(1, time.toMillis());
        if (time.compareTo(GC_SPAN) >= 0 && share >= GC_BUSY) {
            standing.put(
                    Alarm.GC_BUSY,
                    String.format(
                            Locale.ROOT,
                            "%d %% of the last %d s",
                            Math.round(100 * share),
                            time.toSeconds()));
        }
    }

    private void threads(Reading reading, Map<Alarm, String> standing) {
        if (threads == null) {
            threads = new Beginning(reading.at());
        }
        int now = reading.jvm().threads();
        if (threads.isThreadLeak(reading.at(), now)) {
            standing.put(Alarm.THREADS_GROW, Beginning.figure(now, "", threads.most()));
        }
    }
}
