package dev.mawashi.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.CronTable;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.redis.GuideAcl;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronFiringIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(20);

    private final RedisConnection redis = connection();
    private final List<CronFiring> firings = new ArrayList<>();
    private final ConcurrentLinkedQueue<Event> events = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void empty() {
        redis.call("FLUSHALL");
    }

    @AfterEach
    void stop() {
        firings.forEach(firing -> firing.stop(LONG));
        redis.close();
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    private static RedisConnection connection() {
        return new RedisConnection(SERVER.address(), "test", Duration.ofSeconds(5));
    }

    private CronFiring start(CronSchedule... schedules) {
        return start(connection(), schedules);
    }

    private CronFiring start(RedisConnection connection, CronSchedule... schedules) {
        CronFiring firing =
                new CronFiring(
                        new CronTable(connection),
                        new CronFile(List.of(schedules)),
                        new Random(),
                        events::add,
                        new Outage(events::add, System::nanoTime));
        firings.add(firing);
        firing.start();
        return firing;
    }

    private static CronSchedule schedule(String name, String cron, String missed) {
        return new CronSchedule(
                name, cron, "UTC", "Report", name, "[1]", false, Missed.of(missed), "", "{}");
    }

    private List<JsonObject> runs(String name) {
        try (CronTable table = new CronTable(connection())) {
            return table.runs(name).stream().map(JsonObject::of).toList();
        }
    }

    private static Instant tick(JsonObject run) {
        return run.instant("tick").orElseThrow();
    }

    private List<String> outcomes(String name) {
        return runs(name).stream().map(run -> run.text("outcome")).toList();
    }

    private long jobs(String queue) {
        return (Long) Objects.requireNonNull(redis.call("LLEN", "queue:" + queue));
    }

    private long now() {
        try (CronTable table = new CronTable(connection())) {
            return table.now();
        }
    }

    /// As if servers had decided a tick of this schedule that long ago.
    private void decided(CronSchedule schedule, Duration ago) {
        String mark = now() - ago.toMillis() + " " + schedule.note();
        redis.call("HSET", "mw:cron", schedule.name(), mark);
    }

    @Test
    void eachTickIsEnqueuedOnceByAnyNumberOfServersWhoComeAndGo() {
        CronSchedule each = schedule("each", "* * * * * *", "all");
        start(each);
        start(each);
        start(each);
        Eventually.until("a run", () -> !runs("each").isEmpty());
        Instant first = tick(runs("each").getLast());
        for (int i = 1; i <= 3; i++) {
            long more = 2L * i;
            Eventually.until("runs", () -> jobs("each") >= more);
            firings.get(i - 1).stop(LONG);
            start(each);
        }
        firings.forEach(firing -> firing.stop(LONG));

        // Of the last 20, however long all this took.
        List<Instant> ticks = runs("each").stream().map(CronFiringIT::tick).toList();
        assertThat(ticks).doesNotHaveDuplicates();
        assertThat(jobs("each"))
                .isEqualTo(Duration.between(first, ticks.getFirst()).toSeconds() + 1);
        assertNoneIsLeftOut(ticks);
    }

    @Test
    void otherSchedulesAreTakenOverWholeAndTheOldOnesEnd() {
        CronSchedule stays = schedule("stays", "* * * * * *", "all");
        CronFiring firing = start();
        CronSchedule hourly = schedule("edited", "0 * * * *", "one");
        firing.follow(new CronFile(List.of(stays, hourly, schedule("goes", "* * * * * *", "one"))));
        Eventually.until("both run", () -> jobs("goes") >= 1 && jobs("stays") >= 1);

        firing.follow(new CronFile(List.of(stays, schedule("edited", "* * * * * *", "one"))));
        Eventually.until("the new line's job", () -> jobs("edited") >= 1);
        long before = jobs("goes");
        long soFar = jobs("stays");
        Eventually.until("more", () -> jobs("stays") >= soFar + 2);
        assertThat(jobs("goes")).isEqualTo(before);
        assertThat(shown()).containsExactlyInAnyOrder("stays", "edited");

        firing.follow(CronFile.NONE);
        Eventually.until("none is shown", () -> shown().isEmpty());
        firing.stop(LONG);
        assertNoneIsLeftOut(runs("stays").stream().map(CronFiringIT::tick).toList());
    }

    private static void assertNoneIsLeftOut(List<Instant> ticks) {
        for (int i = 1; i < ticks.size(); i++) {
            assertThat(ticks.get(i)).isEqualTo(ticks.get(i - 1).minusSeconds(1));
        }
    }

    private List<String> shown() {
        try (CronReader reader = new CronReader(connection())) {
            return reader.all().stream().map(view -> view.schedule().name()).toList();
        }
    }

    @Test
    void theJobIsAsSidekiqsClientMakesIt() {
        CronSchedule each = schedule("each", "* * * * * *", "one");
        start(each);
        Eventually.until("a run", () -> !runs("each").isEmpty());

        JsonObject job =
                JsonObject.of(
                        (byte[]) Objects.requireNonNull(redis.call("LINDEX", "queue:each", "-1")));
        JsonObject run = runs("each").getLast();
        assertThat(job.text("jid")).isEqualTo(run.text("jid")).hasSize(24);
        assertThat(job.text("class")).isEqualTo("Report");
        assertThat(job.raw("args")).isEqualTo("[1]");
        assertThat(run.text("outcome")).isEqualTo("enqueued");
        assertThat(redis.call("SISMEMBER", "queues", "each")).isEqualTo(1L);
    }

    @Test
    void eachActiveJobHasAnIdOfItsOwn() {
        CronSchedule schedule =
                schedule("each", "* * * * * *", "all")
                        .with(new ClassOptions("each", "{}", true, ""));
        decided(schedule, Duration.ofSeconds(5));
        start(schedule);
        Eventually.until("missed ones run", () -> jobs("each") >= 5);

        List<?> jobs =
                (List<?>) Objects.requireNonNull(redis.call("LRANGE", "queue:each", "0", "-1"));
        List<JsonObject> wrapped =
                jobs.stream()
                        .map(job -> JsonObject.of((byte[]) Objects.requireNonNull(job)))
                        .map(job -> job.objects("args").getFirst())
                        .toList();
        assertThat(wrapped).extracting(job -> job.text("job_class")).containsOnly("Report");
        assertThat(wrapped).extracting(job -> job.raw("arguments")).containsOnly("[1]");
        assertThat(wrapped).extracting(job -> job.text("job_id")).doesNotHaveDuplicates();
    }

    @Test
    void nothingIsRefusedToTheUserOfTheGuide() {
        RedisAddress user = GuideAcl.makeServer(redis, SERVER.address());
        redis.call("ACL", "LOG", "RESET");
        start(new RedisConnection(user, "test", LONG), schedule("each", "* * * * * *", "one"));

        Eventually.until("it runs", () -> runs("each").size() >= 2);
        assertThat(GuideAcl.refused(redis)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"skip, 0, missed", "one, 1, enqueued", "all, 5, enqueued"})
    void whatWasMissedIsRunAsTheScheduleSays(String missed, int jobs, String outcome) {
        // At other minutes than this one, so that no tick comes while the test runs.
        long minute = now() / 60_000 % 60;
        String hourly = (minute + 30) % 60 + " * * * *";
        CronSchedule schedule = schedule("hourly", hourly, missed);
        decided(schedule, Duration.ofHours(5));
        start(schedule);

        Eventually.until("decided", () -> runs("hourly").size() >= Math.max(1, jobs));
        assertThat(outcomes("hourly")).containsOnly(outcome).hasSize(Math.max(1, jobs));
        assertThat(jobs("hourly")).isEqualTo(jobs);
    }

    @Test
    void aNewScheduleAndOneWithAnotherLineBeginNow() {
        CronSchedule fresh = schedule("fresh", "0 0 1 1 *", "all");
        CronSchedule changed = schedule("changed", "0 0 1 1 *", "all");
        redis.call("HSET", "mw:cron", "changed", "1000000000000 0 0 * * * UTC");
        CronSchedule broken = schedule("broken", "0 0 1 1 *", "all");
        redis.call("HSET", "mw:cron", "broken", "none");
        start(fresh, changed, broken);

        Eventually.until(
                "marks",
                () -> List.of("fresh", "changed", "broken").stream().allMatch(this::isMarkedNow));
        assertThat(jobs("fresh") + jobs("changed") + jobs("broken")).isZero();
    }

    private boolean isMarkedNow(String name) {
        CronTable.Mark mark = mark(name);
        return mark != null && mark.note().equals("0 0 1 1 * UTC") && mark.millis() > 1.7e12;
    }

    private CronTable.@Nullable Mark mark(String name) {
        try (CronTable table = new CronTable(connection())) {
            return table.marks(List.of(name), now()).get(name);
        }
    }

    @Test
    void aMarkAheadOfTheClockEndsItsScheduleForADayAtMost() {
        CronSchedule hour = schedule("hour", "* * * * * *", "all");
        CronSchedule days = schedule("days", "* * * * * *", "all");
        decided(hour, Duration.ofHours(-1));
        decided(days, Duration.ofDays(-2));
        start(hour, days);

        Eventually.until("the other runs", () -> runs("days").size() >= 3);
        assertThat(runs("hour")).isEmpty();
        assertThat(jobs("hour")).isZero();
    }

    @Test
    void whatRedisHasForgottenIsDecidedAgain() {
        CronSchedule each = schedule("each", "* * * * * *", "all");
        start(each);
        Eventually.until("it runs", () -> runs("each").size() >= 2);
        Instant first = tick(runs("each").getLast());
        redis.call("HSET", "mw:cron", "each", first.toEpochMilli() - 1_000 + " " + each.note());

        Eventually.until(
                "the first tick comes again",
                () -> runs("each").stream().filter(run -> tick(run).equals(first)).count() == 2);
    }

    @Test
    void aTickIsNotDecidedBeforeTheOneBeforeIt() {
        try (CronTable table = new CronTable(connection())) {
            redis.call("HSET", "mw:cron", "each", "1000 * * * * * * UTC");
            CronTable.Job job = new CronTable.Job("each", new byte[] {'{', '}'});
            CronTable.Tick third =
                    new CronTable.Tick("each", "3000", "2000", "note", "record", "paused", job);
            CronTable.Tick second =
                    new CronTable.Tick("each", "2000", "1000", "note", "record", "paused", job);

            assertThat(table.fire(List.of(third))).containsExactly("behind");
            assertThat(jobs("each")).isZero();
            assertThat(table.runs("each")).isEmpty();
            assertThat(table.fire(List.of(second, third, second)))
                    .containsExactly("fired", "fired", "past");
            assertThat(jobs("each")).isEqualTo(2);
        }
    }

    @Test
    void schedulesRunThatCannotBeShown() {
        redis.call("SET", "mw:cron:files", "text");
        start(schedule("each", "* * * * * *", "one"));

        Eventually.until("it runs", () -> !runs("each").isEmpty());
        assertThat(((Event.SchedulesRefused) events.element()).what())
                .isEqualTo("the schedules cannot be shown");
    }

    @Test
    void aPausedScheduleIsDecidedAndRecordedOnce() {
        CronSchedule each = schedule("each", "* * * * * *", "all");
        CronSchedule other = schedule("other", "* * * * * *", "all");
        redis.call("SADD", "mw:cron:paused", "each");
        start(each, other);
        Eventually.until("others run", () -> runs("other").size() >= 3);
        assertThat(outcomes("each")).containsExactly("paused");
        assertThat(jobs("each")).isZero();

        CronTable.Mark mark = Objects.requireNonNull(mark("each"));
        Instant decided = Instant.ofEpochMilli(mark.millis());
        redis.call("SREM", "mw:cron:paused", "each");
        Eventually.until("it runs", () -> jobs("each") >= 1);
        assertThat(runs("each"))
                .filteredOn(run -> run.text("outcome").equals("enqueued"))
                .isNotEmpty()
                .allMatch(run -> tick(run).isAfter(decided));
    }

    @Test
    void aQueueThatTakesNoneHoldsUpNoOther() {
        redis.call("SET", "queue:bad", "text");
        start(schedule("bad", "* * * * * *", "one"), schedule("good", "* * * * * *", "one"));

        Eventually.until("others run", () -> runs("good").size() >= 2);
        assertThat(outcomes("bad")).containsExactly("refused");
        assertThat(runs("bad").getFirst().text("reason")).contains("WRONGTYPE");
        assertThat(events).hasOnlyElementsOfType(Event.SchedulesRefused.class);
        assertThat(((Event.SchedulesRefused) events.element()).what())
                .isEqualTo("the job of schedule \"bad\" cannot be enqueued");
        assertThat(
                        new String(
                                (byte[]) Objects.requireNonNull(redis.call("GET", "queue:bad")),
                                StandardCharsets.UTF_8))
                .isEqualTo("text");
    }
}
