package dev.mawashi.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.event.Event;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.fleet.AlarmView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A watch whose clock a test steps. It measures the real JVM unless it is given another reading,
/// and what else it is given.
final class AlarmRig {
    static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");

    /// One in which all is well.
    static final JvmReading WELL =
            new JvmReading(10 << 20, 100 << 20, Duration.ZERO, 1 << 20, 48 << 20, 40, List.of());

    /// The same, with the threads of this JVM.
    static JvmReading wellWithRealThreads() {
        return new JvmReading(
                WELL.heapAfter(),
                WELL.heapMax(),
                WELL.collecting(),
                WELL.codeUsed(),
                WELL.codeMax(),
                JvmReading.take().threads(),
                WELL.deadlocked());
    }

    final RecordedEvents events = new RecordedEvents();
    Supplier<JvmReading> jvm = () -> WELL;
    Supplier<Optional<RedisReading>> redis = Optional::empty;
    Map<Long, Reading.Child> children = Map.of();
    long lost;
    long late;
    long suspected;
    Instant begin = NOON;
    private Duration at = Duration.ofSeconds(-7);
    final AlarmWatch watch = new AlarmWatch(this::take, () -> {}, events, AlarmWatch.PAUSE);

    private Reading take() {
        return new Reading(
                at, begin.plus(at), jvm.get(), children, lost, late, suspected, redis.get());
    }

    /// Lets so much time pass, with a look at each pause.
    void pass(Duration time) {
        Duration end = at.plus(time);
        while (at.compareTo(end) < 0) {
            at = at.plus(AlarmWatch.PAUSE);
            watch.look();
        }
    }

    void look() {
        pass(AlarmWatch.PAUSE);
    }

    List<String> standing() {
        return watch.standing().stream().map(AlarmView::name).toList();
    }

    String text(Alarm alarm) {
        assertThat(standing()).contains(alarm.word());
        return watch.standing().stream()
                .filter(one -> one.name().equals(alarm.word()))
                .map(AlarmView::text)
                .findFirst()
                .orElseThrow();
    }

    /// What was reported, one line each.
    List<String> lines() {
        return events.of(Event.OfAlarm.class).stream().map(Event.OfAlarm::words).toList();
    }
}
