package dev.mawashi.cron;

import dev.mawashi.broker.CronTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A schedule's place among those that are to come.
///
/// @param decided its last tick that is decided
/// @param look when to look at it: its next tick, or later where that was refused
record NextTick(CronSchedule schedule, CronLine line, Instant decided, Instant look) {
    private static final int MISSED_MAX = 1_000;
    private static final Duration LATE_MAX = Duration.ofSeconds(60);

    static NextTick after(CronSchedule schedule, CronLine line, Instant decided) {
        return new NextTick(schedule, line, decided, line.next(decided));
    }

    NextTick later(Instant moment) {
        return new NextTick(schedule, line, decided, moment);
    }

    /// The schedule's ticks up to this moment that are decided now.
    List<CronTable.Tick> ticks(CronJob jobs) {
        Instant last = line.last(decided, jobs.now()).orElse(null);
        if (last == null) {
            return List.of();
        }
        return switch (schedule.missed()) {
            case ONE -> List.of(jobs.run(schedule, last, Optional.empty()));
            case SKIP ->
                    last.plus(LATE_MAX).isBefore(jobs.now())
                            ? List.of(jobs.skip(schedule, last))
                            : List.of(jobs.run(schedule, last, Optional.empty()));
            case ALL -> all(last, jobs);
        };
    }

    /// Each only after the one before, so that none is left out should Redis refuse some of them.
    private List<CronTable.Tick> all(Instant last, CronJob jobs) {
        List<CronTable.Tick> ticks = new ArrayList<>();
        Instant earlier = decided;
        Instant tick = line.next(earlier);
        while (!tick.isAfter(last) && ticks.size() < MISSED_MAX) {
            ticks.add(jobs.run(schedule, tick, Optional.of(earlier)));
            earlier = tick;
            tick = line.next(tick);
        }
        return ticks;
    }
}
