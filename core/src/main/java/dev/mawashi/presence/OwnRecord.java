package dev.mawashi.presence;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.wire.Json;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// What our records say beyond what Sidekiq knows, as JSON (docs/formats/sidekiq.md, "Process
/// records"). One thread's.
public final class OwnRecord {
    private final List<Capsule> capsules;
    private boolean isLater;

    /// @param capsules all of the process, Resque's too
    public OwnRecord(List<Capsule> capsules) {
        this.capsules = List.copyOf(capsules);
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"capsules\":[%s],\"children\":%d,\"cpu_ms\":%d,\"gc_ms\":%d}",
                capsules.stream().map(OwnRecord::json).collect(Collectors.joining(",")),
                (int) capsules.stream().flatMap(one -> one.pids().stream()).distinct().count(),
                cpu().toMillis(),
                gcMillis());
    }

    private static String json(Capsule capsule) {
        return String.format(
                Locale.ROOT,
                "{\"name\":%s,\"runner\":%s,\"slots\":%d,\"busy\":%d}",
                Json.quote(capsule.settings().name()),
                Json.quote(capsule.runner()),
                capsule.settings().slots(),
                capsule.running().size());
    }

    /// Zero where the system does not tell.
    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// The first beat comes while jobs wait for the start, which the JVM's own figures would hold
    /// up: it is the first use of them.
    private long gcMillis() {
        if (!isLater) {
            isLater = true;
            return 0;
        }
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .filter(millis -> millis > 0)
                .sum();
    }
}
