package dev.mawashi.server;

import dev.mawashi.children.ChildFailure;
import dev.mawashi.config.RunnerChoice;
import dev.mawashi.cron.ClassOptions;
import dev.mawashi.cron.CronFile;
import dev.mawashi.cron.CronSchedule;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Gives schedules what the app's job classes say of their jobs: the server enqueues them itself,
/// and the job is to be what the class's `perform_async` would make.
final class CronClasses {
    private static final System.Logger LOG = System.getLogger(CronClasses.class.getName());

    /// Of more schedules only the number is in the log.
    private static final int LINES_MAX = 10;

    private CronClasses() {}

    /// The schedules of a choice, and those of the app's code, with the options of their classes. A
    /// class of which no app knows anything has Sidekiq's defaults, and a line in the log.
    static CronFile known(RunnerChoice choice, Apps apps) {
        List<CronSchedule> schedules = new ArrayList<>(choice.cron().schedules());
        schedules.addAll(PeriodicJobs.of(apps.settings()));
        if (schedules.isEmpty()) {
            return CronFile.NONE;
        }
        Map<String, ClassOptions> classes = ask(schedules, apps);
        String place = choice.origins().place("cron", "config/mawashi.yml");
        List<CronSchedule> unknown =
                schedules.stream().filter(one -> !of(one, classes).isKnown()).toList();
        unknown.stream()
                .limit(LINES_MAX)
                .forEach(one -> warn(place, one, of(one, classes).problem()));
        if (unknown.size() > LINES_MAX) {
            LOG.log(
                    Level.WARNING,
                    "%s: cron: nor are those of the classes of %s more schedules"
                            .formatted(place, unknown.size() - LINES_MAX));
        }
        return new CronFile(schedules.stream().map(one -> one.with(of(one, classes))).toList());
    }

    private static void warn(String place, CronSchedule schedule, String problem) {
        boolean isOfCode = schedule.name().startsWith(PeriodicJobs.PREFIX);
        String entry =
                isOfCode
                        ? schedule.description() + ": " + schedule.name()
                        : place + ": cron." + schedule.name();
        LOG.log(
                Level.WARNING,
                "%s: the options of class %s are not known: %s"
                        .formatted(entry, schedule.jobClass(), problem));
    }

    private static ClassOptions of(CronSchedule schedule, Map<String, ClassOptions> classes) {
        return Objects.requireNonNull(classes.get(schedule.jobClass()));
    }

    /// Of several apps the first one that knows a class counts, or else the first one's reason.
    private static Map<String, ClassOptions> ask(List<CronSchedule> schedules, Apps apps) {
        List<String> names = schedules.stream().map(CronSchedule::jobClass).distinct().toList();
        Map<String, ClassOptions> classes = new HashMap<>();
        for (String answer : answers(names, apps)) {
            List<ClassOptions> each = ClassOptions.read(answer);
            for (int i = 0; i < each.size() && i < names.size(); i++) {
                classes.merge(
                        names.get(i),
                        each.get(i),
                        (was, now) -> was.isKnown() ? was : now.isKnown() ? now : was);
            }
        }
        names.forEach(
                name -> classes.putIfAbsent(name, ClassOptions.unknown("the app does not answer")));
        return classes;
    }

    private static List<String> answers(List<String> names, Apps apps) {
        try {
            return apps.classOptions(names);
        } catch (ChildFailure none) {
            return List.of();
        }
    }
}
