package dev.mawashi.server;

import dev.mawashi.alarm.JvmReading;
import dev.mawashi.alarm.Reading;
import dev.mawashi.alarm.RedisLook;
import dev.mawashi.children.ProcessMemory;
import dev.mawashi.children.ProcessThreads;
import dev.mawashi.dispatch.Capsule;
import dev.mawashi.metrics.EventTally;
import dev.mawashi.metrics.EventTally.Counted;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Measures all that alarms of a server are judged by. One thread's.
///
/// @param capsules all of the process
/// @param speed 1, or how many times faster the time that alarms are judged by passes
record AlarmReadings(
        List<Capsule> capsules, EventTally counts, RedisLook redis, InstantSource clock, int speed)
        implements Supplier<Reading> {
    @Override
    public Reading get() {
        return new Reading(
                Duration.ofNanos(System.nanoTime()).multipliedBy(speed),
                clock.instant(),
                JvmReading.take(),
                children(),
                counts.count(Counted.CHILDREN_LOST),
                counts.count(Counted.SETTLED_LATE),
                counts.count(Counted.SUSPECTED),
                redis.look());
    }

    private Map<Long, Reading.Child> children() {
        Map<Long, Reading.Child> children = new HashMap<>();
        // Capsules share children.
        capsules.stream()
                .flatMap(capsule -> capsule.pids().stream())
                .distinct()
                .forEach(pid ->
                        ProcessMemory.kib(pid)
                                .ifPresent(kib -> children.put(pid, child(pid, kib))));
        return children;
    }

    private static Reading.Child child(long pid, long kib) {
        return new Reading.Child(kib, ProcessThreads.count(pid));
    }
}
