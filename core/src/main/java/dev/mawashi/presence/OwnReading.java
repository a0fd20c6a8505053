package dev.mawashi.presence;

import dev.mawashi.dispatch.Capsule;
import dev.mawashi.fleet.AlarmView;
import dev.mawashi.fleet.CapsuleView;
import dev.mawashi.fleet.MawashiFigures;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/// Measures what our records say beyond what Sidekiq knows. One thread's.
public final class OwnReading {
    private final List<Capsule> capsules;
    private final Supplier<List<AlarmView>> alarms;
    private boolean isLater;

    /// @param capsules all of the process, Resque's too
    /// @param alarms those that stand
    public OwnReading(List<Capsule> capsules, Supplier<List<AlarmView>> alarms) {
        this.alarms = alarms;
        this.capsules = List.copyOf(capsules);
    }

    MawashiFigures take() {
        return new MawashiFigures(
                capsules.stream().map(OwnReading::view).toList(),
                capsules.stream().flatMap(one -> one.pids().stream()).distinct().count(),
                cpu(),
                collecting(),
                alarms.get());
    }

    private static CapsuleView view(Capsule capsule) {
        return new CapsuleView(
                capsule.settings().name(),
                capsule.runner(),
                capsule.settings().slots(),
                capsule.running().size());
    }

    /// Zero where the system does not report it.
    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// The first beat comes while jobs wait for the start, which the JVM's own figures would hold
    /// up: it is the first use of them.
    private Duration collecting() {
        if (!isLater) {
            isLater = true;
            return Duration.ZERO;
        }
        return Duration.ofMillis(
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .filter(millis -> millis > 0)
                        .sum());
    }
}
