package dev.mawashi.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.VMOption;
import dev.mawashi.config.RunnerKind;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// The settings of this JVM's memory and collector, with their origins. The launcher starts a
/// server and `mawashi config` with the same flags, so that the latter sees what the former would
/// get.
public final class JvmSettings {
    /// Set by the launcher: a line for each flag of its choice, with the reason behind a colon.
    public static final String REASONS = "mawashi.jvm.reasons";

    private static final System.Logger LOG = System.getLogger(JvmSettings.class.getName());

    private static final long MEGABYTE = 1 << 20;

    /// With less an app of some size does not fit beside JRuby.
    private static final long JRUBY_MEGABYTES = 512;

    private static final String OWN = "the JVM";
    private static final List<String> VARIABLES =
            List.of("MAWASHI_JAVA_OPTS", "JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS");

    private final Map<String, String> environment;
    private final List<String> reasons;
    private final HotSpotDiagnosticMXBean jvm =
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);

    /// A setting.
    ///
    /// @param bytes 0 where it is none of bytes, or has no limit
    /// @param text what it is, for people
    /// @param place the variable that sets it, `the launcher`, or `the JVM`
    /// @param reason why it was chosen; "" where an operator has
    public record Found(String name, long bytes, String text, String place, String reason) {}

    /// @param reasons the value of the property `REASONS`; "" without the launcher
    public JvmSettings(Map<String, String> environment, String reasons) {
        this.environment = environment;
        this.reasons = reasons.lines().toList();
    }

    public List<Found> read() {
        List<Found> found = new ArrayList<>();
        // Where there is little the JVM takes half.
        boolean isHalf = Long.parseLong(option("MaxHeapSize").getValue()) > memory() / 3;
        String part = (isHalf ? "half" : "a quarter") + " of the %,d MB of memory here, %s";
        found.add(
                bytes(
                        "heap",
                        "MaxHeapSize",
                        part.formatted(memory() / MEGABYTE, "which leaves room for Ruby"),
                        "-Xmx",
                        "-XX:MaxRAM"));
        found.add(bytes("heap of new objects", "MaxNewSize", "a third of the heap", "-Xmn"));
        found.add(
                bytes(
                        "metaspace",
                        "MaxMetaspaceSize",
                        "it grows with the classes that are loaded"));
        found.add(bytes("code cache", "ReservedCodeCacheSize", "the JVM's default"));
        found.add(bytes("stack of a thread", "ThreadStackSize", "the JVM's default", "-Xss"));
        found.add(direct());
        found.add(collector());
        return found;
    }

    /// For the log of a start: what there is of memory, and what of it the heap may take.
    public String line() {
        String misfit =
                misfit(
                        ManagementFactory.getRuntimeMXBean().getInputArguments(),
                        System.getProperty("java.vm.info", ""));
        return "%s of memory here: a heap of up to %s, collector %s%s"
                .formatted(
                        megabytes(memory()),
                        megabytes(Long.parseLong(option("MaxHeapSize").getValue())),
                        collector().text(),
                        misfit);
    }

    /// The end of the line where the start was not as quick as it was prepared to be; "" otherwise.
    /// The JVM itself reports nothing: its messages on caches are off.
    ///
    /// @param arguments of the JVM
    /// @param info its property `java.vm.info`, which has the word `sharing` where a cache serves
    static String misfit(List<String> arguments, String info) {
        boolean isGiven = arguments.stream().anyMatch(word -> word.startsWith("-XX:AOTCache="));
        return isGiven && !info.contains("sharing")
                ? "; the start cache does not fit: call mawashi prepare again"
                : "";
    }

    /// Warns where `tightness` has a reason.
    static void warnIfTight(Set<RunnerKind> runners) {
        String tightness = tightness(runners);
        if (!tightness.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, tightness);
        }
    }

    /// Why an app of some size will not fit into what there is of memory; "" where it may.
    ///
    /// @param runners all that the server has
    public static String tightness(Set<RunnerKind> runners) {
        return tightness(runners, memory() / MEGABYTE);
    }

    static String tightness(Set<RunnerKind> runners, long megabytes) {
        return !runners.contains(RunnerKind.JRUBY) || megabytes >= JRUBY_MEGABYTES
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d MB of memory is little for JRuby, which takes some 210 beside the app:"
                                + " give it %d or more, or --runner mri",
                        megabytes,
                        JRUBY_MEGABYTES);
    }

    private static long memory() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                .getTotalMemorySize();
    }

    private Found bytes(String name, String flag, String ownReason, String... shortForms) {
        long value = Long.parseLong(option(flag).getValue());
        long bytes = flag.equals("ThreadStackSize") ? value << 10 : value;
        boolean isLimited = bytes < Long.MAX_VALUE / 2 && bytes >= 0;
        String text = isLimited ? megabytes(bytes) : "no limit";
        return found(name, isLimited ? bytes : 0, text, ownReason, forms(flag, shortForms));
    }

    private Found direct() {
        Found found = bytes("direct memory", "MaxDirectMemorySize", "as much as the heap");
        if (found.bytes() > 0) {
            return found;
        }
        long heap = Long.parseLong(option("MaxHeapSize").getValue());
        return new Found(found.name(), heap, megabytes(heap), found.place(), found.reason());
    }

    private Found collector() {
        String name =
                Stream.of("Serial", "Parallel", "G1", "Z", "Shenandoah")
                        .filter(kind -> isOn("Use" + kind + "GC"))
                        .findFirst()
                        .orElse("unknown");
        String flag = "Use" + name + "GC";
        return found("collector", 0, name, "by cores and memory", List.of("-XX:+" + flag));
    }

    private boolean isOn(String flag) {
        try {
            return option(flag).getValue().equals("true");
        } catch (IllegalArgumentException _) {
            // This JVM was built without that collector.
            return false;
        }
    }

    private VMOption option(String flag) {
        return jvm.getVMOption(flag);
    }

    private static List<String> forms(String flag, String... shortForms) {
        return Stream.concat(Stream.of("-XX:" + flag + "="), Stream.of(shortForms)).toList();
    }

    /// Of two equal flags the JVM takes the last: the launcher's stand behind those of
    /// JDK_JAVA_OPTIONS, and before those of MAWASHI_JAVA_OPTS.
    private Found found(
            String name, long bytes, String text, String ownReason, List<String> forms) {
        if (isIn(VARIABLES.getFirst(), forms)) {
            return new Found(name, bytes, text, VARIABLES.getFirst(), "");
        }
        for (String line : reasons) {
            if (forms.stream().anyMatch(line::startsWith)) {
                String reason = line.substring(line.indexOf(": ") + 2);
                return new Found(name, bytes, text, "the launcher", reason);
            }
        }
        for (String variable : VARIABLES) {
            if (isIn(variable, forms)) {
                return new Found(name, bytes, text, variable, "");
            }
        }
        return new Found(name, bytes, text, OWN, ownReason);
    }

    private boolean isIn(String variable, List<String> forms) {
        return Stream.of(environment.getOrDefault(variable, "").split("\\s+"))
                .anyMatch(word -> forms.stream().anyMatch(word::startsWith));
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%,d MB", bytes / MEGABYTE);
    }
}
