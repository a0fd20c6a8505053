package dev.mawashi.cron;

import dev.mawashi.broker.CronTable;
import dev.mawashi.broker.GemAsking;
import dev.mawashi.broker.GemCronTable;
import dev.mawashi.broker.GemSchedulerTable;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.JsonObject;
import dev.mawashi.wire.Keys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Reads the schedules of the gems sidekiq-cron, sidekiq-scheduler and resque-scheduler, and runs
/// or pauses one for an operator; those of resque-scheduler have their pauses and runs in
/// `CronTable`. One thread's.
final class GemSchedules {
    /// A gem's process looks for requests every two seconds.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final GemCronTable cron;
    private final GemSchedulerTable scheduler;
    private final GemAsking asking;

    GemSchedules(RedisConnection connection) {
        cron = new GemCronTable(connection);
        scheduler = new GemSchedulerTable(connection);
        asking = new GemAsking(connection);
    }

    /// Those of Sidekiq's gems, each with its next time after a moment and its last run.
    List<CronReader.View> all(Instant now) {
        List<CronReader.View> views = new ArrayList<>();
        List<GemSchedule> ofCron = ofCron();
        Map<String, String> last = cron.lastRuns(ofCron.stream().map(GemSchedule::name).toList());
        for (GemSchedule schedule : ofCron) {
            String note = last.get(schedule.name());
            List<JsonObject> runs = note == null ? List.of() : List.of(GemSchedule.run(note));
            views.add(view(schedule, now, 1, runs));
        }
        List<SchedulerSchedule> ofScheduler = ofScheduler();
        Map<GemSchedulerTable.Entry, List<String>> times =
                scheduler.times(ofScheduler.stream().map(SchedulerSchedule::entry).toList(), 1);
        for (SchedulerSchedule schedule : ofScheduler) {
            views.add(view(schedule, now, 1, runs(times.get(schedule.entry()))));
        }
        return views;
    }

    /// One of them, with its next times after a moment and all runs that are known.
    ///
    /// @param name the schedule's, or the one that the gem has for it
    Optional<CronReader.View> one(String name, Instant now) {
        List<GemSchedule> ofCron = ofCron();
        return GemSchedule.keysOf(name).stream()
                .flatMap(key -> ofCron.stream().filter(one -> one.name().equals(key)))
                .findFirst()
                .map(schedule -> view(schedule, now, CronReader.NEXT_MAX, runs(schedule)))
                .or(() -> ofScheduler(name, now));
    }

    private Optional<CronReader.View> ofScheduler(String name, Instant now) {
        return ofScheduler().stream()
                .filter(schedule -> schedule.isCalled(name))
                .findFirst()
                .map(schedule -> {
                    List<String> times =
                            scheduler
                                    .times(List.of(schedule.entry()), CronTable.RUNS_MAX)
                                    .get(schedule.entry());
                    return view(schedule, now, CronReader.NEXT_MAX, runs(times));
                });
    }

    private List<GemSchedule> ofCron() {
        return cron.all().entrySet().stream()
                .map(entry -> GemSchedule.of(entry.getKey(), entry.getValue()))
                .toList();
    }

    /// Those of resque-scheduler.
    List<ResqueSchedule> ofResque() {
        List<ResqueSchedule> all = new ArrayList<>();
        cron.resque()
                .forEach((namespace, text) ->
                        JsonObject.elements(text).stream()
                                .map(one -> ResqueSchedule.of(namespace, JsonObject.of(one)))
                                .forEach(all::add));
        return all;
    }

    private List<SchedulerSchedule> ofScheduler() {
        return scheduler.all().stream()
                .map(SchedulerSchedule::of)
                .flatMap(Optional::stream)
                .toList();
    }

    private static CronReader.View view(
            ShownSchedule schedule, Instant now, int most, List<JsonObject> runs) {
        return new CronReader.View(schedule, isPaused(schedule), schedule.next(now, most), runs);
    }

    private static boolean isPaused(ShownSchedule schedule) {
        return switch (schedule) {
            case GemSchedule one -> one.isPaused();
            case SchedulerSchedule one -> one.isPaused();
            case CronSchedule _, ResqueSchedule _ -> false;
        };
    }

    private List<JsonObject> runs(GemSchedule schedule) {
        return readable(() -> cron.runs(schedule.name())).stream().map(GemSchedule::run).toList();
    }

    private static List<JsonObject> runs(@Nullable List<String> times) {
        return times == null ? List.of() : times.stream().map(SchedulerSchedule::run).toList();
    }

    /// None where their key is another's: the schedule is shown all the same.
    static List<String> readable(Supplier<List<String>> reading) {
        try {
            return reading.get();
        } catch (RedisFailure failure) {
            if (!failure.isOfOneCommand()) {
                throw failure;
            }
            return List.of();
        }
    }

    /// As by sidekiq-cron's API.
    ///
    /// @return whether that changes anything
    boolean pause(GemSchedule schedule, boolean isPaused) {
        return cron.enable(schedule.name(), !isPaused);
    }

    /// As by sidekiq-scheduler's tab.
    ///
    /// @return whether that changes anything
    boolean pause(SchedulerSchedule schedule, boolean isPaused) {
        if (schedule.isPaused() != isPaused) {
            scheduler.enable(schedule.entry(), !isPaused);
        }
        return schedule.isPaused() != isPaused;
    }

    String run(GemSchedule schedule, RandomGenerator random) {
        return ask(Keys.CRON_ASKED, schedule.name(), schedule.gem(), random);
    }

    String run(SchedulerSchedule schedule, RandomGenerator random) {
        String known = schedule.entry().name();
        return ask(Keys.CRON_ASKED_SCHEDULER, known, schedule.gem(), random);
    }

    String run(ResqueSchedule schedule, RandomGenerator random) {
        String requests = Keys.cronResqueAsked(schedule.namespace());
        return ask(requests, schedule.name(), schedule.gem(), random);
    }

    /// @throws CronRefusal when no server can
    private String ask(String requests, String schedule, String gem, RandomGenerator random) {
        String id = HexFormat.of().toHexDigits(random.nextLong());
        String answer = asking.run(requests, id, schedule, PATIENCE);
        if (answer == null) {
            throw new CronRefusal(
                    "the server that was to enqueue it did not answer: look whether it has");
        }
        if (answer.isEmpty()) {
            throw new CronRefusal("no server runs that has " + gem + " loaded");
        }
        if (!answer.startsWith("+")) {
            throw new CronRefusal("the server could not enqueue it: " + answer.substring(1));
        }
        return answer.substring(1);
    }
}
