package dev.mawashi.server;

import dev.mawashi.alarm.JvmReading;
import dev.mawashi.alarm.Reading;
import dev.mawashi.alarm.RedisLook;
import dev.mawashi.children.ProcessMemory;
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
record AlarmReadings(
        List<Capsule> capsules, EventTally counts, RedisLook redis, InstantSource clock)
        implements Supplier<Reading> {
    @Override
    public Reading get() {
        return new Reading(
                Duration.ofNanos(System.nanoTime()),
                clock.instant(),
                JvmReading.take(),
                children(),
                counts.count(Counted.CHILDREN_LOST),
                counts.count(Counted.SETTLED_LATE),
                counts.count(Counted.SUSPECTED),
                redis.look());
    }

    private Map<Long, Long> children() {
        Map<Long, Long> kib = new HashMap<>();
        // Capsules share children.
        capsules.stream()
                .flatMap(capsule -> capsule.pids().stream())
                .distinct()
                .forEach(pid -> ProcessMemory.kib(pid).ifPresent(size -> kib.put(pid, size)));
        return kib;
    }
}
