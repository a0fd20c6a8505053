package dev.mawashi.fleet;

import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/// The figures of a process's Java virtual machine, as that answers.
///
/// @param java version
/// @param cpuLoad part of all processors, 0 to 1, since it was asked last; empty when it is not
///   known
/// @param cpu that it has used
/// @param compiling time that its compilers have used
/// @param pauses last collections, the newest first; none before somebody has asked for the first
///   time
/// @param flags of the heap and the collector, by name, those of `FLAGS` that it has
public record JvmView(
        String java,
        String vm,
        Duration uptime,
        long processors,
        OptionalDouble cpuLoad,
        Duration cpu,
        Duration compiling,
        Usage heap,
        Usage nonHeap,
        List<Pool> pools,
        List<Collector> collectors,
        List<Pause> pauses,
        Threads threads,
        Classes classes,
        Map<String, String> flags) {
    /// The flags that are asked for: they say how the heap is sized, and by what it is collected.
    public static final List<String> FLAGS =
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

    private static final String CODE_HEAP = "CodeHeap";
    private static final String CODE_CACHE = "CodeCache";
    private static final List<String> STATES =
            List.of("NEW", "RUNNABLE", "BLOCKED", "WAITING", "TIMED_WAITING", "TERMINATED");

    public JvmView {
        pools = List.copyOf(pools);
        collectors = List.copyOf(collectors);
        pauses = List.copyOf(pauses);
        flags = Map.copyOf(flags);
    }

    /// Memory in bytes.
    ///
    /// @param max empty for no limit
    public record Usage(long used, long committed, OptionalLong max) {
        private JsonFields json() {
            return new JsonFields()
                    .number("used", used)
                    .number("committed", committed)
                    .optional("max", max);
        }

        private static Usage of(JsonObject fields) {
            return new Usage(
                    fields.number("used"), fields.number("committed"), fields.optional("max"));
        }

        private static Usage sum(List<Usage> parts) {
            long used = 0;
            long committed = 0;
            long max = 0;
            for (Usage part : parts) {
                used += part.used();
                committed += part.committed();
                max += part.max().orElse(0);
            }
            return new Usage(
                    used, committed, max == 0 ? OptionalLong.empty() : OptionalLong.of(max));
        }
    }

    /// A part of the memory, such as `Metaspace`.
    public record Pool(String name, boolean isHeap, Usage usage) {
        private String json() {
            return new JsonFields()
                    .text("name", name)
                    .flag("is_heap", isHeap)
                    .object("usage", usage.json())
                    .toString();
        }

        private static Pool of(JsonObject fields) {
            return new Pool(
                    fields.text("name"),
                    fields.isTrue("is_heap"),
                    Usage.of(fields.object("usage")));
        }
    }

    /// @param time that it has taken in all
    public record Collector(String name, long count, Duration time) {
        private String json() {
            return new JsonFields()
                    .text("name", name)
                    .number("count", count)
                    .number("ms", time.toMillis())
                    .toString();
        }

        private static Collector of(JsonObject fields) {
            return new Collector(fields.text("name"), fields.number("count"), millis(fields, "ms"));
        }
    }

    /// One collection.
    ///
    /// @param before bytes used before it, and after
    public record Pause(
            Optional<Instant> at,
            String collector,
            String cause,
            Duration time,
            long before,
            long after) {
        private String json() {
            return new JsonFields()
                    .time("at", at)
                    .text("collector", collector)
                    .text("cause", cause)
                    .number("ms", time.toMillis())
                    .number("before", before)
                    .number("after", after)
                    .toString();
        }

        private static Pause of(JsonObject fields) {
            return new Pause(
                    fields.instant("at"),
                    fields.text("collector"),
                    fields.text("cause"),
                    millis(fields, "ms"),
                    fields.number("before"),
                    fields.number("after"));
        }
    }

    /// @param states platform threads by state
    public record Threads(
            long live, long peak, long daemon, long started, Map<String, Long> states) {
        public Threads {
            states = Map.copyOf(states);
        }

        private JsonFields json() {
            JsonFields byState = new JsonFields();
            new TreeMap<>(states).forEach(byState::number);
            return new JsonFields()
                    .number("live", live)
                    .number("peak", peak)
                    .number("daemon", daemon)
                    .number("started", started)
                    .object("states", byState);
        }

        private static Threads of(JsonObject fields) {
            return new Threads(
                    fields.number("live"),
                    fields.number("peak"),
                    fields.number("daemon"),
                    fields.number("started"),
                    fields.object("states").numbers(STATES));
        }
    }

    /// @param total loaded since the start
    public record Classes(long loaded, long total, long unloaded) {
        private JsonFields json() {
            return new JsonFields()
                    .number("loaded", loaded)
                    .number("total", total)
                    .number("unloaded", unloaded);
        }

        private static Classes of(JsonObject fields) {
            return new Classes(
                    fields.number("loaded"), fields.number("total"), fields.number("unloaded"));
        }
    }

    /// The answer to a question for the JVM: sizes in bytes, times in ms.
    public String json() {
        return new JsonFields()
                .text("java", java)
                .text("vm", vm)
                .number("uptime_ms", uptime.toMillis())
                .number("processors", processors)
                .decimal("cpu_load", cpuLoad, 4)
                .number("cpu_ms", cpu.toMillis())
                .number("compile_ms", compiling.toMillis())
                .object("heap", heap.json())
                .object("non_heap", nonHeap.json())
                .array("pools", pools.stream().map(Pool::json).toList())
                .array("collectors", collectors.stream().map(Collector::json).toList())
                .array("pauses", pauses.stream().map(Pause::json).toList())
                .object("threads", threads.json())
                .object("classes", classes.json())
                .object("flags", flagsJson())
                .toString();
    }

    private JsonFields flagsJson() {
        JsonFields fields = new JsonFields();
        FLAGS.stream()
                .filter(flags::containsKey)
                .forEach(name -> fields.text(name, flags.get(name)));
        return fields;
    }

    /// Reads that answer.
    public static JvmView of(String json) {
        JsonObject fields = JsonObject.of(json);
        return new JvmView(
                fields.text("java"),
                fields.text("vm"),
                millis(fields, "uptime_ms"),
                fields.number("processors"),
                fields.decimal("cpu_load"),
                millis(fields, "cpu_ms"),
                millis(fields, "compile_ms"),
                Usage.of(fields.object("heap")),
                Usage.of(fields.object("non_heap")),
                fields.objects("pools").stream().map(Pool::of).toList(),
                fields.objects("collectors").stream().map(Collector::of).toList(),
                fields.objects("pauses").stream().map(Pause::of).toList(),
                Threads.of(fields.object("threads")),
                Classes.of(fields.object("classes")),
                fields.object("flags").plain(FLAGS));
    }

    private static Duration millis(JsonObject fields, String field) {
        return Duration.ofMillis(fields.number(field));
    }

    /// What the compiled code takes, in one part or in several.
    public Usage codeCache() {
        return Usage.sum(
                pools.stream()
                        .filter(pool ->
                                pool.name().startsWith(CODE_HEAP) || pool.name().equals(CODE_CACHE))
                        .map(Pool::usage)
                        .toList());
    }

    /// Collections since the start, of all collectors.
    public long collections() {
        return collectors.stream().mapToLong(Collector::count).sum();
    }

    /// The time that they took.
    public Duration collecting() {
        return collectors.stream().map(Collector::time).reduce(Duration.ZERO, Duration::plus);
    }

    /// The longest collection that is known.
    public Optional<Pause> longestPause() {
        return pauses.stream().max(Comparator.comparing(Pause::time));
    }
}
