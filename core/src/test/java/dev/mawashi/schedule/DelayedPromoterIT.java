package dev.mawashi.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.Recorded;
import dev.mawashi.broker.DeadLimits;
import dev.mawashi.broker.RedisBroker;
import dev.mawashi.event.Event;
import dev.mawashi.event.Outage;
import dev.mawashi.event.RecordedEvents;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The delayed jobs that a real resque-scheduler wrote, and its lock.
class DelayedPromoterIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final ResqueKeys KEYS = ResqueKeys.DEFAULT;
    private static final String LOCK = KEYS.masterLock("");
    private static final String SECOND = "4102444800";
    private static final Duration LONG = Duration.ofSeconds(20);

    private final RecordedEvents events = new RecordedEvents();
    private final DelayedPromoter promoter =
            new DelayedPromoter(
                    new RedisBroker(SERVER.address(), DeadLimits.DEFAULT, KEYS.layout())
                            .delayedJobs(KEYS, LOCK),
                    events,
                    new Outage(events, System::nanoTime));

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    /// Writes what was recorded, due at another time.
    @BeforeEach
    void delay() {
        SERVER.flushAll();
        for (String line : Recorded.lines("resque-delayed-5.0.0.txt")) {
            String[] words = line.split("\t", -1);
            for (int i = 2; i < words.length && !words[1].equals("zset"); i++) {
                call(words[1].equals("list") ? "RPUSH" : "SADD", words[0], words[i]);
            }
        }
    }

    @AfterEach
    void stop() {
        promoter.stop(LONG);
        assertThat(events.of(Event.Defect.class)).isEmpty();
    }

    /// The recorded second becomes due: its score is the past.
    private static void makeDue(String second) {
        call("ZADD", KEYS.delayedSchedule(), "1000000000", second);
    }

    private static Object call(String... command) {
        try (RedisConnection redis = SERVER.connect()) {
            return Objects.requireNonNullElse(redis.call(command), "nil");
        }
    }

    private static List<String> queued(String queue) {
        return texts("LRANGE", KEYS.layout().queue(queue), "0", "-1");
    }

    private static List<String> texts(String... command) {
        List<String> all = new ArrayList<>();
        ((List<?>) call(command)).forEach(value -> all.add(new String((byte[]) value, UTF_8)));
        return all;
    }

    /// A server that enqueues for the gem's schedules holds the lock as the gem does.
    @Test
    void aMasterOfOursHoldsThemUpInNoWay() {
        call("SET", LOCK, "mawashi:host:1:0123456789ab");
        makeDue(SECOND);

        promoter.start();

        Eventually.until(
                "they are moved", () -> texts("KEYS", "resque:delayed:" + SECOND).isEmpty());
        assertThat(queued("low")).hasSize(2);
    }

    @Test
    void dueJobsGoToTheirQueuesAndNothingOfThemIsLeft() {
        makeDue(SECOND);
        call("ZADD", KEYS.delayedSchedule(), "4102444801", "4102444801");

        promoter.start();

        Eventually.until(
                "they are moved", () -> texts("KEYS", "resque:delayed:" + SECOND).isEmpty());
        assertThat(queued("high"))
                .containsExactly(
                        "{\"class\":\"TroubleJob\",\"args\":[\"w\u00e9\",1.5,{\"k\":[]}]}");
        assertThat(queued("low"))
                .containsExactly(
                        "{\"class\":\"QuietJob\",\"args\":[]}",
                        "{\"class\":\"QuietJob\",\"args\":[]}");
        assertThat(texts("SMEMBERS", KEYS.queues())).containsExactlyInAnyOrder("high", "low");
        Eventually.until(
                "the second is gone",
                () ->
                        texts("ZRANGE", KEYS.delayedSchedule(), "0", "-1")
                                .equals(List.of("4102444801")));
        assertThat(texts("KEYS", "resque:timestamps:*"))
                .containsExactly(
                        "resque:timestamps:{\"class\":\"QuietJob\",\"args\":[],\"queue\":\"other\"}");
        assertThat(queued("other")).isEmpty();
    }

    @Test
    void eachGoesWhereAndAsARealMasterMovedIt() {
        call("DEL", "resque:delayed:" + SECOND);
        List<String> moved = new ArrayList<>();
        for (String line : Recorded.lines("resque-delayed-moved-5.0.0.txt")) {
            String[] words = line.split("\t", -1);
            call("RPUSH", "resque:delayed:" + SECOND, words[0]);
            if (words[1].equals("notes")) {
                moved.add(words[2]);
            } else {
                assertThat(words[2]).isEqualTo("{\"class\":\"Later\",\"args\":[\"q\"]}");
            }
        }
        makeDue(SECOND);

        promoter.start();

        Eventually.until("all are moved", () -> queued("notes").size() == moved.size());
        assertThat(queued("notes")).isEqualTo(moved).hasSize(13);
        assertThat(queued("other")).containsExactly("{\"class\":\"Later\",\"args\":[\"q\"]}");
    }

    /// Resque's `remove_delayed` takes a job out of its list and leaves the second.
    @Test
    void aSecondWhoseJobsWereRemovedIsForgottenAndHoldsNothingUp() {
        call("DEL", "resque:delayed:" + SECOND);
        makeDue(SECOND);
        call("ZADD", KEYS.delayedSchedule(), "1000000001", "4102444801");

        promoter.start();

        Eventually.until("the next one is moved", () -> queued("other").size() == 1);
        Eventually.until(
                "both seconds are gone", () -> call("EXISTS", KEYS.delayedSchedule()).equals(0L));
    }

    @Test
    void aMasterSeesToThemUntilItIsGone() {
        call("SET", LOCK, "host:1");
        makeDue(SECOND);
        promoter.start();
        call("CONFIG", "RESETSTAT");
        makeDue("4102444801");
        Eventually.until("it has looked", () -> looks() > 0);
        assertThat(queued("high")).isEmpty();

        call("DEL", LOCK);

        Eventually.until("all are moved", () -> queued("other").size() == 1);
        assertThat(queued("low")).hasSize(2);
    }

    /// Kinds of scripts' calls since the figures were reset.
    private static long looks() {
        String stats = new String((byte[]) call("INFO", "commandstats"), UTF_8);
        return stats.lines().filter(line -> line.startsWith("cmdstat_eval")).count();
    }

    @Test
    void whatNamesNoQueueGoesToTheDefaultOneAndNothingIsLost() {
        call("DEL", "resque:delayed:" + SECOND);
        call("RPUSH", "resque:delayed:" + SECOND, "{\"class\":\"A\",\"args\":{\"k\":1}}");
        call("RPUSH", "resque:delayed:" + SECOND, "no job");
        call("RPUSH", "resque:delayed:" + SECOND, "{\"class\":\"B\",\"queue\":\"high\"}");
        makeDue(SECOND);

        promoter.start();

        Eventually.until("they are moved", () -> queued("high").size() == 1);
        assertThat(queued("default"))
                .containsExactly("{\"class\":\"A\",\"args\":[{\"k\":1}]}", "no job");
        assertThat(queued("high")).containsExactly("{\"class\":\"B\",\"args\":[]}");
    }

    private static String job(String queue, int number) {
        return "{\"class\":\"Job\",\"args\":[" + number + "],\"queue\":\"" + queue + "\"}";
    }

    private static void delay(String second, String job) {
        call("RPUSH", KEYS.delayed(second), job);
        call("SADD", new String(KEYS.timestamps(job.getBytes(UTF_8)), UTF_8), "delayed:" + second);
        call("ZADD", KEYS.delayedSchedule(), second, second);
    }

    @Test
    void aQueueThatTakesNoneHoldsUpNoOthers() {
        SERVER.flushAll();
        call("SET", KEYS.layout().queue("bad"), "x");
        delay("1000", job("bad", 1));
        delay("1000", job("good", 2));
        delay("1001", job("bad", 3));
        delay("1001", job("good", 4));
        promoter.start();

        Eventually.until("the good ones are queued", () -> queued("good").size() == 2);
        Eventually.until("the others are delayed", () -> texts("KEYS", "*timestamps*").size() == 2);
        List<String> seconds = texts("ZRANGE", KEYS.delayedSchedule(), "0", "-1");
        List<String> delayed = new ArrayList<>();
        seconds.forEach(second -> delayed.addAll(texts("LRANGE", KEYS.delayed(second), "0", "-1")));
        assertThat(delayed).containsExactly(job("bad", 1), job("bad", 3));
        assertThat(texts("SMEMBERS", texts("KEYS", "*timestamps*").getFirst()))
                .hasSize(1)
                .isSubsetOf(seconds.stream().map(second -> "delayed:" + second).toList());
        assertThat(events.of(Event.QueueRefused.class)).hasSize(1);
        assertThat(events.of(Event.BrokerDown.class)).isEmpty();

        call("DEL", KEYS.layout().queue("bad"));
        seconds.forEach(second -> call("ZADD", KEYS.delayedSchedule(), "1", second));
        Eventually.until("they are queued, too", () -> queued("bad").size() == 2);
    }

    @Test
    void aSecondThatCannotBeReadHoldsUpNoOthers() {
        SERVER.flushAll();
        call("ZADD", KEYS.delayedSchedule(), "1000", "1000");
        call("SET", KEYS.delayed("1000"), "x");
        delay("1001", job("good", 1));
        promoter.start();

        Eventually.until("the other is queued", () -> queued("good").size() == 1);
        assertThat(events.of(Event.SetUnreadable.class)).hasSize(1);
        assertThat(texts("ZRANGE", KEYS.delayedSchedule(), "0", "-1")).containsExactly("1000");
    }
}
