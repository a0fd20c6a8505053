package dev.mawashi.answer;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import dev.mawashi.fleet.JvmView;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// Measures this process's Java virtual machine. One thread's.
///
/// The first call takes some 50 ms of CPU, since it loads what the JDK has for this.
public final class JvmFigures {
    private final GcPauses pauses = new GcPauses();

    public JvmView take() {
        pauses.listen();
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        return new JvmView(
                Runtime.version().toString(),
                runtime.getVmName() + " " + runtime.getVmVendor(),
                Duration.ofMillis(runtime.getUptime()),
                system.getAvailableProcessors(),
                load(system.getProcessCpuLoad()),
                Duration.ofNanos(Math.max(0, system.getProcessCpuTime())),
                Duration.ofMillis(compiler == null ? 0 : compiler.getTotalCompilationTime()),
                usage(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage()),
                usage(ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage()),
                pools(),
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(JvmFigures::collector)
                        .toList(),
                pauses.last(),
                threads(),
                classes(),
                flags());
    }

    /// The part of all processors since it was asked last; empty where that is not known yet.
    private static OptionalDouble load(double part) {
        return part < 0 || Double.isNaN(part) ? OptionalDouble.empty() : OptionalDouble.of(part);
    }

    private static JvmView.Usage usage(MemoryUsage usage) {
        long max = usage.getMax();
        return new JvmView.Usage(
                usage.getUsed(),
                usage.getCommitted(),
                max < 0 ? OptionalLong.empty() : OptionalLong.of(max));
    }

    private static List<JvmView.Pool> pools() {
        List<JvmView.Pool> pools = new ArrayList<>();
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pool.getUsage();
            if (usage != null) {
                boolean isHeap = pool.getType().equals(MemoryType.HEAP);
                pools.add(new JvmView.Pool(pool.getName(), isHeap, usage(usage)));
            }
        }
        return pools;
    }

    private static JvmView.Collector collector(GarbageCollectorMXBean collector) {
        return new JvmView.Collector(
                collector.getName(),
                Math.max(0, collector.getCollectionCount()),
                Duration.ofMillis(Math.max(0, collector.getCollectionTime())));
    }

    private static JvmView.Threads threads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<String, Long> states = new HashMap<>();
        for (var info : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (info != null) {
                states.merge(info.getThreadState().name(), 1L, Long::sum);
            }
        }
        return new JvmView.Threads(
                threads.getThreadCount(),
                threads.getPeakThreadCount(),
                threads.getDaemonThreadCount(),
                threads.getTotalStartedThreadCount(),
                states);
    }

    private static JvmView.Classes classes() {
        ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
        return new JvmView.Classes(
                classes.getLoadedClassCount(),
                classes.getTotalLoadedClassCount(),
                classes.getUnloadedClassCount());
    }

    private static Map<String, String> flags() {
        HotSpotDiagnosticMXBean diagnostic =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        Map<String, String> flags = new HashMap<>();
        if (diagnostic == null) {
            return flags;
        }
        for (String name : JvmView.FLAGS) {
            try {
                flags.put(name, diagnostic.getVMOption(name).getValue());
            } catch (IllegalArgumentException _) {
                // This JVM has no such flag.
            }
        }
        return flags;
    }
}
