package dev.mawashi.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.Keys;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PromoterIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(20);

    private final RedisConnection redis = SERVER.connect();
    private final RecordedEvents events = new RecordedEvents();
    private final List<Promoter> promoters = new ArrayList<>();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void emptyServer() {
        SERVER.flushAll();
    }

    @AfterEach
    void stop() {
        promoters.forEach(promoter -> promoter.stop(LONG));
        redis.close();
    }

    private void start(RedisAddress address) {
        start(address, InstantSource.system());
    }

    private void start(RedisAddress address, InstantSource clock) {
        RedisBroker broker = new RedisBroker(address, DeadLimits.DEFAULT);
        Promoter promoter =
                new Promoter(
                        broker.scheduling(), clock, events, new Outage(events, System::nanoTime));
        promoters.add(promoter);
        promoter.start();
    }

    private void startAndAwaitIdle() {
        start(SERVER.address());
        Eventually.until("the sets are watched", () -> clients().contains("cmd=subscribe"));
        promoteOne("first");
        idleMoment();
    }

    private String clients() {
        return text(redis.call("CLIENT", "LIST"));
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    /// Waits half a second, by the server's clock.
    private void idleMoment() {
        pause("0.5");
    }

    private void pause(String seconds) {
        redis.callBlocking(
                Duration.ofSeconds(1),
                RedisConnection.ascii("BLPOP"),
                RedisConnection.ascii("nothing"),
                RedisConnection.ascii(seconds));
    }

    /// Adds a due job and waits until it is in its queue.
    private void promoteOne(String jid) {
        long before = length("queue:low");
        redis.call("ZADD", "schedule", "1", "{\"queue\":\"low\",\"jid\":\"" + jid + "\"}");
        Eventually.until(jid + " moves", () -> length("queue:low") > before);
    }

    private long length(String list) {
        return redis.call("LLEN", list) instanceof Long length ? length : 0;
    }

    private long scriptCalls() {
        Matcher calls =
                Pattern.compile("cmdstat_evalsha:calls=(\\d+)")
                        .matcher(text(redis.call("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    @Test
    void anIdlePromoterSendsNothing() {
        redis.call("ZADD", "retry", "99999999999", "{\"queue\":\"low\"}");
        startAndAwaitIdle();
        long before = scriptCalls();

        idleMoment();

        // One look at both sets is what may fall into the moment.
        assertThat(scriptCalls() - before).isLessThanOrEqualTo(2);
    }

    /// Each of them would take seconds if it were found by polling.
    @Test
    void anEntryWithAnEarlierDueTimeIsNoticedAtOnce() {
        redis.call("ZADD", "schedule", "99999999999", "{\"queue\":\"low\"}");
        startAndAwaitIdle();

        for (int i = 0; i < 20; i++) {
            promoteOne("j" + i);
        }
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo(1L);
        assertThat(events.all()).isEmpty();
    }

    @Test
    void anEntryIsPromotedWhenItsTimeComes() {
        startAndAwaitIdle();
        long seconds = serverSeconds() + 1;

        redis.call("ZADD", "schedule", "" + seconds, "{\"queue\":\"soon\"}");

        Eventually.until("it moves", () -> length("queue:soon") == 1);
        assertThat(serverSeconds()).isGreaterThanOrEqualTo(seconds);
    }

    /// @param hours by which this machine's clock is wrong
    @ParameterizedTest
    @ValueSource(ints = {1, -1})
    void redisClockDecidesHoweverWrongThisMachinesIs(int hours) {
        start(SERVER.address(), Clock.offset(Clock.systemUTC(), Duration.ofHours(hours)));
        promoteOne("due");
        long seconds = serverSeconds() + 1;

        redis.call("ZADD", "schedule", "" + seconds, "{\"queue\":\"soon\"}");

        Eventually.until("it moves", () -> length("queue:soon") == 1);
        assertThat(serverSeconds()).isGreaterThanOrEqualTo(seconds);
    }

    private long serverSeconds() {
        return redis.call("TIME") instanceof List<?> time
                ? Long.parseLong(text(time.getFirst()))
                : 0;
    }

    @Test
    void manyDueAtOneInstantMoveOnceWithSeveralPromoters() {
        List<String> zadd = new ArrayList<>(List.of("ZADD", "retry"));
        for (int i = 0; i < 1_000; i++) {
            zadd.addAll(List.of("5", "{\"queue\":\"low\",\"jid\":\"" + i + "\"}"));
        }
        redis.call(zadd.toArray(String[]::new));

        start(SERVER.address());
        start(SERVER.address());

        Eventually.until(
                "all moved", () -> redis.call("ZCARD", "retry") instanceof Long l && l == 0);
        assertThat(length("queue:low")).isEqualTo(1_000);
        assertThat(redis.call("SISMEMBER", "queues", "low")).isEqualTo(1L);
    }

    /// 400 jobs of 50 kB each: 100 of them would be 5 MB in one script.
    @Test
    void fewerLargeJobsAreMovedTogether() {
        String padding = "x".repeat(50_000);
        for (int i = 0; i < 400; i++) {
            String job = "{\"queue\":\"low\",\"jid\":\"%d\",\"x\":\"%s\"}".formatted(i, padding);
            redis.call("ZADD", "schedule", "5", job);
        }
        redis.call("CONFIG", "RESETSTAT");
        start(SERVER.address());

        Eventually.until("all moved", () -> length("queue:low") == 400);
        // A hundred, and then ever fewer until five are left; in hundreds it would be ten calls.
        assertThat(scriptCalls()).isGreaterThan(50);
    }

    @Test
    void whatIsNoJobIsBuriedAsItsRawBytes() {
        redis.call("ZADD", "schedule", "5", "no job");
        start(SERVER.address());

        Eventually.until("it is buried", () -> redis.call("ZSCORE", "dead", "no job") != null);
        assertThat(redis.call("ZCARD", "schedule")).isEqualTo(0L);
    }

    @Test
    void itWorksForAUserThatMayNotTrackKeys() {
        redis.call("ACL", "SETUSER", "poll", "on", ">pw", "~*", "&*", "+@all", "-client|tracking");
        String port = Integer.toString(SERVER.address().port());
        start(RedisAddress.parse("redis://poll:pw@127.0.0.1:" + port));

        for (int i = 0; i < 5; i++) {
            promoteOne("j" + i);
        }
        assertThat(events.all()).isEmpty();
    }

    @Test
    void itWorksForAUserThatMayNotSubscribe() {
        redis.call("ACL", "SETUSER", "deaf", "on", ">pw", "~*", "resetchannels", "+@all");
        String port = Integer.toString(SERVER.address().port());
        start(RedisAddress.parse("redis://deaf:pw@127.0.0.1:" + port));

        for (int i = 0; i < 5; i++) {
            promoteOne("j" + i);
        }
        assertThat(events.all()).isEmpty();
    }

    @Test
    void aKilledWatchIsReplaced() {
        startAndAwaitIdle();

        for (int i = 0; i < 5; i++) {
            redis.call("CLIENT", "KILL", "TYPE", "pubsub");
            promoteOne("j" + i);
        }
    }

    @Test
    void aKilledReaderNoticesWithinSecondsAndIsWatchedAgain() {
        startAndAwaitIdle();

        redis.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        for (int i = 0; i < 10; i++) {
            promoteOne("j" + i);
        }
    }

    /// Each change would else be looked at as many times as there are processes.
    @Test
    void aChangeIsLookedAtByOneOfManyProcesses() {
        int processes = 8;
        for (int i = 0; i < processes; i++) {
            start(SERVER.address());
        }
        Eventually.until(
                "all wait",
                () -> clients().split("name=mawashi-schedule", -1).length == processes + 1);
        promoteOne("first");
        idleMoment();
        redis.call("CONFIG", "RESETSTAT");

        int changes = 100;
        for (int i = 0; i < changes; i++) {
            redis.call("ZADD", "schedule", "99999999999", "{\"queue\":\"low\",\"n\":" + i + "}");
            pause("0.01");
        }

        // Two scripts for a look, and what little they look while nothing changes.
        assertThat(scriptCalls()).isLessThan(4L * changes);
    }

    @Test
    void whenTheOneThatLooksStopsAnotherGoesOnAtOnce() {
        startAndAwaitIdle();
        start(SERVER.address());
        promoteOne("second");
        promoters.removeFirst().stop(LONG);

        for (int i = 0; i < 20; i++) {
            promoteOne("j" + i);
        }
    }

    @Test
    void theTurnOfOneThatDiedIsTaken() {
        redis.call("SET", Keys.SCHEDULER, "1", "PX", "1000");
        start(SERVER.address());

        promoteOne("first");

        assertThat(redis.call("PTTL", Keys.SCHEDULER) instanceof Long ms && ms > 0).isTrue();
    }

    @Test
    void theTurnIsLeftBehindByNobody() {
        startAndAwaitIdle();

        promoters.removeFirst().stop(LONG);

        assertThat(redis.call("EXISTS", Keys.SCHEDULER)).isEqualTo(0L);
        Eventually.until(
                "nothing of ours is left",
                () -> redis.call("KEYS", "mw:*") instanceof List<?> keys && keys.isEmpty());
    }

    /// They are far more than are looked at together, and due before all others.
    @Test
    void jobsForAQueueKeyOfAWrongTypeStayAndHoldNoOthersUpAndAreToldOnce() {
        redis.call("SET", "queue:bad", "no list");
        List<String> stuck = scheduleMany("bad", 1_200);
        start(SERVER.address());

        for (int i = 0; i < 5; i++) {
            promoteOne("j" + i);
        }
        idleMoment();

        assertThat(members("schedule")).containsExactlyElementsOf(stuck);
        assertThat(redis.call("ZCOUNT", "schedule", "-inf", serverSeconds() + "")).isEqualTo(0L);
        assertThat(redis.call("GET", "queue:bad")).isEqualTo(RedisConnection.ascii("no list"));
        assertThat(events.all()).singleElement().isInstanceOf(Event.QueueRefused.class);
        assertThat(((Event.QueueRefused) events.all().getFirst()).reason()).contains("WRONGTYPE");
    }

    @Test
    void jobsForAQueueThatThisUserMayNotWriteStayAndHoldNoOthersUp() {
        redis.call("ACL", "SETUSER", "some", "on", ">pw", "+@all", "&*", "resetkeys");
        redis.call("ACL", "SETUSER", "some", "~schedule", "~retry", "~queues", "~queue:low");
        List<String> stuck = scheduleMany("secret", 300);
        String port = Integer.toString(SERVER.address().port());
        start(RedisAddress.parse("redis://some:pw@127.0.0.1:" + port));

        promoteOne("j1");

        assertThat(members("schedule")).containsExactlyElementsOf(stuck);
        assertThat(events.all()).singleElement().isInstanceOf(Event.QueueRefused.class);
    }

    @Test
    void aSetOfAWrongTypeHoldsTheOtherNotUpAndIsToldOnceUntilItIsMended() {
        redis.call("SET", "retry", "no set");
        start(SERVER.address());
        promoteOne("j1");
        promoteOne("j2");
        redis.call("DEL", "retry");
        redis.call("ZADD", "retry", "1", "{\"queue\":\"low\",\"jid\":\"mended\"}");
        Eventually.until("the mended set is served", () -> length("queue:low") == 3);
        redis.call("SET", "schedule", "no set");
        redis.call("ZADD", "retry", "1", "{\"queue\":\"low\",\"jid\":\"other\"}");
        Eventually.until("the other set is served", () -> length("queue:low") == 4);

        assertThat(events.all())
                .hasOnlyElementsOfType(Event.SetUnreadable.class)
                .extracting(event -> ((Event.SetUnreadable) event).set())
                .containsExactly("retry", "schedule");
        assertThat(events.of(Event.SetUnreadable.class).getFirst().reason()).contains("WRONGTYPE");
    }

    /// Schedules jobs for one queue, all due at one instant long ago, and returns them in order.
    private List<String> scheduleMany(String queue, int count) {
        List<String> jobs = new ArrayList<>();
        List<String> zadd = new ArrayList<>(List.of("ZADD", "schedule"));
        for (int i = 0; i < count; i++) {
            jobs.add("{\"queue\":\"%s\",\"jid\":\"%04d\"}".formatted(queue, i));
            zadd.addAll(List.of("0", jobs.getLast()));
        }
        redis.call(zadd.toArray(String[]::new));
        return jobs;
    }

    private List<String> members(String set) {
        return redis.call("ZRANGE", set, "0", "-1") instanceof List<?> members
                ? members.stream().map(PromoterIT::text).toList()
                : List.of();
    }
}
