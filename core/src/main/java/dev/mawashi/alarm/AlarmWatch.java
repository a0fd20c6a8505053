package dev.mawashi.alarm;

import dev.mawashi.event.Event;
import dev.mawashi.event.Listener;
import dev.mawashi.fleet.AlarmView;
import dev.mawashi.lifecycle.Loop;
import dev.mawashi.lifecycle.Service;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Measures each 15 s, and reports an alarm when it begins and when it is over: as an event, and in
/// `standing` until then.
///
/// The loop's thread alone writes `standing` and `last`; the heartbeat and scrapes read them.
public final class AlarmWatch implements Service {
    public static final Duration PAUSE = Duration.ofSeconds(15);

    /// What the JDK loads for the first measure would hold up the first jobs.
    private static final Duration FIRST = Duration.ofSeconds(5);

    /// One that comes and goes at its bound is reported once.
    private static final Duration OVER_AFTER = Duration.ofMinutes(2);

    private final Supplier<Reading> readings;
    private final Listener listener;
    private final Duration pause;
    private final Loop loop;
    private final JvmRules jvm = new JvmRules();
    private final ChildRules children = new ChildRules();
    private final WorkRules work = new WorkRules();
    private final RedisRules redis = new RedisRules();
    private final Map<Alarm, Standing> begun = new EnumMap<>(Alarm.class);
    private volatile List<AlarmView> standing = List.of();
    private volatile @Nullable Reading last;
    private boolean isLater;

    /// @param seen when its condition held last
    private record Standing(Instant since, Duration seen, String text) {}

    /// @param readings measures now; called on the loop's thread alone
    /// @param farewell called there after the last one
    /// @param pause between two; `PAUSE`, or less where a test lets the time of readings pass
    ///   faster
    public AlarmWatch(
            Supplier<Reading> readings, Runnable farewell, Listener listener, Duration pause) {
        this.readings = readings;
        this.listener = listener;
        this.pause = pause;
        loop = Loop.platform("alarms", this::step).farewell(farewell);
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration step() {
        if (!isLater) {
            isLater = true;
            return FIRST;
        }
        look();
        return pause;
    }

    /// Measures once.
    void look() {
        try {
            judge(readings.get());
        } catch (RuntimeException failure) {
            listener.on(new Event.Defect("alarms", failure));
        }
    }

    private void judge(Reading reading) {
        Map<Alarm, String> found = new EnumMap<>(Alarm.class);
        children.judge(reading, found);
        jvm.judge(reading, found);
        work.judge(reading, found);
        redis.judge(reading, found);
        found.forEach((alarm, figure) -> stands(alarm, alarm.sentence(figure), reading));
        List<Alarm> over =
                begun.entrySet().stream()
                        .filter(one -> isOver(one.getValue(), reading.at()))
                        .map(Map.Entry::getKey)
                        .toList();
        over.forEach(begun::remove);
        standing =
                begun.entrySet().stream()
                        .map(one -> view(one.getKey(), one.getValue()))
                        .collect(Collectors.toUnmodifiableList());
        last = reading;
        over.forEach(alarm -> listener.on(new Event.AlarmOver(alarm.word(), alarm.illness())));
    }

    private void stands(Alarm alarm, String text, Reading reading) {
        Standing before = begun.get(alarm);
        Instant since = before == null ? reading.now() : before.since();
        begun.put(alarm, new Standing(since, reading.at(), text));
        if (before == null) {
            listener.on(new Event.AlarmBegun(alarm.word(), text));
        }
    }

    private static boolean isOver(Standing one, Duration at) {
        return at.minus(one.seen()).compareTo(OVER_AFTER) >= 0;
    }

    private static AlarmView view(Alarm alarm, Standing one) {
        return new AlarmView(alarm.word(), one.text(), one.since());
    }

    /// The alarms that stand, in the order of the catalogue. Safe for any thread.
    public List<AlarmView> standing() {
        return standing;
    }

    /// By what they were judged last; empty before the first time. Safe for any thread.
    public Optional<Reading> last() {
        return Optional.ofNullable(last);
    }

    @Override
    public void stop(Duration patience) {
        loop.stop(patience);
    }
}
