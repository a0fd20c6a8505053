package dev.mawashi.cron;

import dev.mawashi.wire.JsonFields;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A schedule as people see it, whoever keeps it.
public sealed interface ShownSchedule
        permits CronSchedule, GemSchedule, SchedulerSchedule, ResqueSchedule {
    /// One schedule's in a Redis.
    String name();

    /// The line.
    String cron();

    /// The line and its zone, once where the line names one.
    default String shownLine() {
        boolean namesNone = parsed().filter(line -> line.zone().getId().equals(zone())).isPresent();
        return namesNone ? cron() + " " + zone() : cron();
    }

    /// Of lines that name none.
    String zone();

    /// That of the line's times.
    default String usedZone() {
        return parsed().map(line -> line.zone().getId()).orElse(zone());
    }

    /// The line as it is read here; empty where only a gem can read it.
    default Optional<CronLine> parsed() {
        try {
            return Optional.of(CronLine.of(cron(), CronLine.zone(zone())));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    String jobClass();

    /// Empty where only the job's class knows it.
    String queue();

    boolean isActiveJob();

    /// Which ticks are run that nobody decided in time.
    default Missed missed() {
        return Missed.SKIP;
    }

    /// For people; may be empty.
    String description();

    /// The gem that keeps it; empty for a config file's.
    String gem();

    /// The next times after a moment, at most so many.
    List<Instant> next(Instant after, int most);

    /// As programs read it, without the arguments: they may be among those that nobody is shown.
    default JsonFields shown() {
        return new JsonFields()
                .text("name", name())
                .text("cron", cron())
                .text("zone", zone())
                .text("class", jobClass())
                .text("queue", queue())
                .flag("active_job", isActiveJob())
                .text("missed", missed().word())
                .text("description", description());
    }
}
