package dev.mawashi.cron;

import dev.mawashi.broker.CronTable;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Reads the schedules of all servers, and runs or pauses one for an operator. One thread's.
public final class CronReader implements AutoCloseable {
    /// So many next times are shown of one schedule.
    public static final int NEXT_MAX = 10;

    private final CronTable table;
    private final GemSchedules gems;

    /// @param connection closed with this
    public CronReader(RedisConnection connection) {
        table = new CronTable(connection);
        gems = new GemSchedules(connection);
    }

    /// A schedule as people see it.
    ///
    /// @param next its next times, by Redis's clock
    /// @param runs the records of its last runs, the newest first
    public record View(
            ShownSchedule schedule, boolean isPaused, List<Instant> next, List<JsonObject> runs) {
        public View {
            next = List.copyOf(next);
            runs = List.copyOf(runs);
        }

        /// The time of the last run that is known; empty when there is none.
        public Optional<Instant> last() {
            return runs.isEmpty() ? Optional.empty() : runs.getFirst().instant("at");
        }

        public JsonFields json() {
            List<String> times = next.stream().map(time -> '"' + time.toString() + '"').toList();
            return schedule.shown()
                    .known("gem", schedule.gem())
                    .flag("paused", isPaused)
                    .array("next", times)
                    .array("runs", runs.stream().map(View::run).toList());
        }

        private static String run(JsonObject run) {
            return new JsonFields()
                    .text("outcome", run.text("outcome"))
                    .time("tick", run.instant("tick"))
                    .time("at", run.instant("at"))
                    .known("jid", run.text("jid"))
                    .known("by", run.text("by"))
                    .known("reason", run.text("reason"))
                    .toString();
        }
    }

    /// All schedules by their names, each with its next time and its last run; those of gems after
    /// the servers' own.
    ///
    /// @throws RedisFailure when Redis does not answer or refuses
    public List<View> all() {
        Set<String> paused = table.paused();
        Instant now = Instant.ofEpochMilli(table.now());
        List<View> views = new ArrayList<>(views(schedules().values(), paused, now));
        views.addAll(gems.all(now));
        views.addAll(views(gems.ofResque(), paused, now));
        return views;
    }

    /// Those whose runs and pauses are our own to record.
    private List<View> views(
            Collection<? extends ShownSchedule> schedules, Set<String> paused, Instant now) {
        Map<String, String> last =
                table.lastRuns(schedules.stream().map(ShownSchedule::name).toList());
        List<View> views = new ArrayList<>();
        for (ShownSchedule schedule : schedules) {
            String name = schedule.name();
            List<JsonObject> runs =
                    last.containsKey(name) ? List.of(JsonObject.of(last.get(name))) : List.of();
            views.add(new View(schedule, paused.contains(name), schedule.next(now, 1), runs));
        }
        return views;
    }

    /// One of them, with its next times and all runs that are known.
    ///
    /// @param name for a gem's, also the name that the gem has for it
    public Optional<View> one(String name) {
        Instant now = Instant.ofEpochMilli(table.now());
        CronSchedule own = schedules().get(name);
        if (own != null) {
            return Optional.of(view(own, now));
        }
        return gems.one(name, now)
                .or(() ->
                        gems.ofResque().stream()
                                .filter(schedule -> schedule.isCalled(name))
                                .findFirst()
                                .map(schedule -> view(schedule, now)));
    }

    private View view(ShownSchedule schedule, Instant now) {
        String name = schedule.name();
        boolean isPaused = table.paused().contains(name);
        return new View(schedule, isPaused, schedule.next(now, NEXT_MAX), runs(name));
    }

    /// Of servers with different files the one that was seen last counts.
    private Map<String, CronSchedule> schedules() {
        Map<String, CronSchedule> schedules = new TreeMap<>();
        for (String text : table.files()) {
            CronFile.read(text).forEach(schedule -> schedules.put(schedule.name(), schedule));
        }
        return schedules;
    }

    private List<JsonObject> runs(String name) {
        return GemSchedules.readable(() -> table.runs(name)).stream().map(JsonObject::of).toList();
    }

    /// A gem's is disabled as by the gem itself, and its servers go by that.
    ///
    /// @return whether that changes anything
    public boolean pause(ShownSchedule schedule, boolean isPaused) {
        return switch (schedule) {
            case CronSchedule own -> table.pause(own.name(), isPaused);
            case GemSchedule gem -> gems.pause(gem, isPaused);
            case SchedulerSchedule gem -> gems.pause(gem, isPaused);
            case ResqueSchedule gem -> table.pause(gem.name(), isPaused);
        };
    }

    /// Enqueues the schedule's job now, also while it is paused. A gem's is enqueued by its own
    /// code, in a server that runs.
    ///
    /// @param by who wants it
    /// @return the job's jid; empty where the app's code enqueued it and names none
    /// @throws CronRefusal when no server can
    public String run(ShownSchedule schedule, String by, RandomGenerator random) {
        return switch (schedule) {
            case CronSchedule own -> fire(own, by, random);
            case GemSchedule gem -> gems.run(gem, random);
            case SchedulerSchedule gem -> gems.run(gem, random);
            case ResqueSchedule gem -> gems.run(gem, random);
        };
    }

    private String fire(CronSchedule schedule, String by, RandomGenerator random) {
        Instant now = Instant.ofEpochMilli(table.now());
        CronJob jobs = new CronJob(new PayloadForm(() -> now, random), now);
        CronTable.Tick tick = jobs.byHand(schedule, by);
        if (table.fire(List.of(tick)).getFirst() instanceof RedisFailure refusal) {
            throw refusal;
        }
        return JsonObject.of(tick.record()).text("jid");
    }

    @Override
    public void close() {
        table.close();
    }
}
