package dev.mawashi.answer;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.VMOption;
import dev.mawashi.wire.Json;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The figures of this process's Java virtual machine. One thread's.
///
/// The first call takes some 50 ms of CPU, since it loads what the JDK has for this.
public final class JvmFigures {
    /// What says how the heap is sized, and by what it is collected.
    private static final List<String> FLAGS =
            List.of(
                    "InitialHeapSize",
                    "MaxHeapSize",
                    "SoftMaxHeapSize",
                    "MaxRAMPercentage",
                    "UseG1GC",
                    "UseSerialGC",
                    "UseParallelGC",
                    "UseZGC",
                    "UseShenandoahGC",
                    "UseCompactObjectHeaders",
                    "ReservedCodeCacheSize",
                    "MaxMetaspaceSize",
                    "MaxDirectMemorySize",
                    "HeapDumpOnOutOfMemoryError");

    private final GcPauses pauses = new GcPauses();

    /// One JSON object; sizes are in bytes, times in ms.
    public String json() {
        pauses.listen();
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        return String.format(
                Locale.ROOT,
                "{\"java\":%s,\"vm\":%s,\"uptime_ms\":%d,\"processors\":%d,\"cpu_load\":%s,"
                        + "\"cpu_ms\":%d,\"compile_ms\":%d,\"heap\":%s,\"non_heap\":%s,"
                        + "\"pools\":[%s],\"collectors\":[%s],\"pauses\":%s,\"threads\":%s,"
                        + "\"classes\":{\"loaded\":%d,\"total\":%d,\"unloaded\":%d},\"flags\":{%s}}",
                Json.quote(Runtime.version().toString()),
                Json.quote(runtime.getVmName() + " " + runtime.getVmVendor()),
                runtime.getUptime(),
                system.getAvailableProcessors(),
                load(system.getProcessCpuLoad()),
                Math.max(0, system.getProcessCpuTime()) / 1_000_000,
                compiler == null ? 0 : compiler.getTotalCompilationTime(),
                usage(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage()),
                usage(ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage()),
                pools(),
                collectors(),
                pauses.json(),
                threads(),
                classes.getLoadedClassCount(),
                classes.getTotalLoadedClassCount(),
                classes.getUnloadedClassCount(),
                flags());
    }

    /// The part of all processors since it was asked last; null where that is not known yet.
    private static String load(double part) {
        return part < 0 || Double.isNaN(part) ? "null" : String.format(Locale.ROOT, "%.4f", part);
    }

    private static String usage(MemoryUsage usage) {
        return String.format(
                Locale.ROOT,
                "{\"used\":%d,\"committed\":%d,\"max\":%s}",
                usage.getUsed(),
                usage.getCommitted(),
                usage.getMax() < 0 ? "null" : "" + usage.getMax());
    }

    private static String pools() {
        List<String> pools = new ArrayList<>();
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pool.getUsage();
            if (usage != null) {
                pools.add(
                        "{\"name\":%s,\"is_heap\":%b,\"usage\":%s}"
                                .formatted(
                                        Json.quote(pool.getName()),
                                        pool.getType().equals(MemoryType.HEAP),
                                        usage(usage)));
            }
        }
        return String.join(",", pools);
    }

    private static String collectors() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(JvmFigures::collector)
                .collect(Collectors.joining(","));
    }

    private static String collector(GarbageCollectorMXBean collector) {
        return String.format(
                Locale.ROOT,
                "{\"name\":%s,\"count\":%d,\"ms\":%d}",
                Json.quote(collector.getName()),
                Math.max(0, collector.getCollectionCount()),
                Math.max(0, collector.getCollectionTime()));
    }

    private static String threads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<String, Integer> states = new TreeMap<>();
        for (var info : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (info != null) {
                states.merge(info.getThreadState().name(), 1, Integer::sum);
            }
        }
        return String.format(
                Locale.ROOT,
                "{\"live\":%d,\"peak\":%d,\"daemon\":%d,\"started\":%d,\"states\":{%s}}",
                threads.getThreadCount(),
                threads.getPeakThreadCount(),
                threads.getDaemonThreadCount(),
                threads.getTotalStartedThreadCount(),
                states.entrySet().stream()
                        .map(state -> "\"" + state.getKey() + "\":" + state.getValue())
                        .collect(Collectors.joining(",")));
    }

    private static String flags() {
        HotSpotDiagnosticMXBean diagnostic =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        if (diagnostic == null) {
            return "";
        }
        List<String> flags = new ArrayList<>();
        for (String name : FLAGS) {
            try {
                VMOption flag = diagnostic.getVMOption(name);
                flags.add(Json.quote(name) + ":" + Json.quote(flag.getValue()));
            } catch (IllegalArgumentException _) {
                // This JVM has no such flag.
            }
        }
        return String.join(",", flags);
    }
}
