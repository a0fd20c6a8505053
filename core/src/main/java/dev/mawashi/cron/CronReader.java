package dev.mawashi.cron;

import dev.mawashi.broker.CronTable;
import dev.mawashi.broker.GemCronTable;
import dev.mawashi.client.PayloadForm;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.JsonFields;
import dev.mawashi.wire.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// Reads the schedules of all servers, and runs or pauses one for an operator. One thread's.
public final class CronReader implements AutoCloseable {
    /// So many next times are shown of one schedule.
    public static final int NEXT_MAX = 10;

    /// A gem's process looks for requests every two seconds.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final CronTable table;
    private final GemCronTable gems;

    /// @param connection closed with this
    public CronReader(RedisConnection connection) {
        table = new CronTable(connection);
        gems = new GemCronTable(connection);
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
        List<View> views = new ArrayList<>();
        Map<String, CronSchedule> schedules = schedules();
        Map<String, String> last = table.lastRuns(List.copyOf(schedules.keySet()));
        for (CronSchedule schedule : schedules.values()) {
            String name = schedule.name();
            List<JsonObject> runs =
                    last.containsKey(name) ? List.of(JsonObject.of(last.get(name))) : List.of();
            views.add(new View(schedule, paused.contains(name), schedule.next(now, 1), runs));
        }
        List<GemSchedule> ofGems = ofGems();
        Map<String, String> lastOfGems =
                gems.lastRuns(ofGems.stream().map(GemSchedule::name).toList());
        for (GemSchedule schedule : ofGems) {
            String note = lastOfGems.get(schedule.name());
            List<JsonObject> runs = note == null ? List.of() : List.of(GemSchedule.run(note));
            views.add(new View(schedule, schedule.isPaused(), schedule.next(now, 1), runs));
        }
        return views;
    }

    private List<GemSchedule> ofGems() {
        return gems.all().entrySet().stream()
                .map(entry -> GemSchedule.of(entry.getKey(), entry.getValue()))
                .toList();
    }

    /// One of them, with its next times and all runs that are known.
    ///
    /// @param name for a gem's, also the name that the gem has for it
    public Optional<View> one(String name) {
        Instant now = Instant.ofEpochMilli(table.now());
        CronSchedule own = schedules().get(name);
        if (own != null) {
            boolean isPaused = table.paused().contains(name);
            return Optional.of(
                    new View(own, isPaused, own.next(now, NEXT_MAX), runs(() -> table.runs(name))));
        }
        List<GemSchedule> ofGems = ofGems();
        return GemSchedule.keysOf(name).stream()
                .flatMap(key -> ofGems.stream().filter(one -> one.name().equals(key)))
                .findFirst()
                .map(schedule -> view(schedule, now));
    }

    private View view(GemSchedule schedule, Instant now) {
        List<JsonObject> runs =
                runs(() -> gems.runs(schedule.name())).stream().map(GemSchedule::run).toList();
        return new View(schedule, schedule.isPaused(), schedule.next(now, NEXT_MAX), runs);
    }

    /// Of servers with different files the one that was seen last counts.
    private Map<String, CronSchedule> schedules() {
        Map<String, CronSchedule> schedules = new TreeMap<>();
        for (String text : table.files()) {
            CronFile.read(text).forEach(schedule -> schedules.put(schedule.name(), schedule));
        }
        return schedules;
    }

    /// None where their key is another's: the schedule is shown all the same.
    private static List<JsonObject> runs(Supplier<List<String>> reading) {
        try {
            return reading.get().stream().map(JsonObject::of).toList();
        } catch (RedisFailure failure) {
            if (!failure.isOfOneCommand()) {
                throw failure;
            }
            return List.of();
        }
    }

    /// A gem's is disabled as by its API, and its servers go by that.
    ///
    /// @return whether that changes anything
    public boolean pause(ShownSchedule schedule, boolean isPaused) {
        return switch (schedule) {
            case CronSchedule own -> table.pause(own.name(), isPaused);
            case GemSchedule gem -> gems.enable(gem.name(), !isPaused);
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
            case GemSchedule gem -> ask(gem, random);
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

    private String ask(GemSchedule schedule, RandomGenerator random) {
        String id = HexFormat.of().toHexDigits(random.nextLong());
        String answer = gems.run(id, schedule.name(), PATIENCE);
        if (answer == null) {
            throw new CronRefusal(
                    "the server that was to enqueue it did not answer: look whether it has");
        }
        if (answer.isEmpty()) {
            throw new CronRefusal("no server runs that has " + schedule.gem() + " loaded");
        }
        if (!answer.startsWith("+")) {
            throw new CronRefusal("the server could not enqueue it: " + answer.substring(1));
        }
        return answer.substring(1);
    }

    @Override
    public void close() {
        table.close();
    }
}
