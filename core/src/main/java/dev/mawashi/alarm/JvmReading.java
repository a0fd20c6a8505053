package dev.mawashi.alarm;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// The state of this process's Java virtual machine that alarms are judged by.
///
/// @param heapAfter bytes of the heap in use after the last collection of each of its parts; 0
///   before the first
/// @param heapMax bytes that it may have
/// @param collecting time for which collections have stopped jobs since the start
/// @param codeUsed bytes of the code cache in use
/// @param codeMax bytes that it may have
/// @param threads platform threads that live
/// @param deadlocked names of platform threads that wait for each other's locks
public record JvmReading(
        long heapAfter,
        long heapMax,
        Duration collecting,
        long codeUsed,
        long codeMax,
        int threads,
        List<String> deadlocked) {
    /// Collectors that work beside the jobs count their whole cycles under such names.
    private static final String BESIDE_JOBS = "Cycles";

    /// One code cache, or its three parts in a larger one.
    private static final List<String> CODE = List.of("CodeCache", "CodeHeap");

    public JvmReading {
        deadlocked = List.copyOf(deadlocked);
    }

    /// Measures. The first call loads what the JDK has for this, some 50 ms of CPU.
    public static JvmReading take() {
        long heapAfter = 0;
        long codeUsed = 0;
        long codeMax = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage after = pool.getCollectionUsage();
            if (pool.getType() == MemoryType.HEAP && after != null) {
                heapAfter += after.getUsed();
            }
            if (CODE.stream().anyMatch(pool.getName()::startsWith)) {
                codeUsed += pool.getUsage().getUsed();
                codeMax += Math.max(0, pool.getUsage().getMax());
            }
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return new JvmReading(
                heapAfter,
                Runtime.getRuntime().maxMemory(),
                stopped(),
                codeUsed,
                codeMax,
                threads.getThreadCount(),
                locked(threads));
    }

    private static Duration stopped() {
        long millis = 0;
        for (GarbageCollectorMXBean one : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (!one.getName().endsWith(BESIDE_JOBS)) {
                millis += Math.max(0, one.getCollectionTime());
            }
        }
        return Duration.ofMillis(millis);
    }

    private static List<String> locked(ThreadMXBean threads) {
        long[] ids = threads.findDeadlockedThreads();
        if (ids == null) {
            return List.of();
        }
        return Stream.of(threads.getThreadInfo(ids))
                .filter(Objects::nonNull)
                .map(ThreadInfo::getThreadName)
                .sorted()
                .toList();
    }
}
