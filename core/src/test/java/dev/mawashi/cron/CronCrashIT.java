package dev.mawashi.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.broker.CronTable;
import dev.mawashi.event.Outage;
import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Breaks the connection of whoever decides ticks at each of its round trips: before it is sent,
/// before its reply, and after it. Whether that process goes on then or another takes over, each
/// tick is decided once.
class CronCrashIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration LONG = Duration.ofSeconds(20);

    /// More than one needs until all ticks are decided, log-in included.
    private static final int BURSTS = 12;

    private static final int TICKS = 5;

    private final RedisConnection redis = SERVER.connect();

    private enum Where {
        BEFORE_SEND,
        BEFORE_REPLY,
        AFTER_REPLY
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @TestFactory
    Stream<DynamicTest> eachTickIsDecidedOnceWhereverTheConnectionBreaks() {
        return IntStream.rangeClosed(1, BURSTS)
                .boxed()
                .flatMap(burst ->
                        Stream.of(Where.values())
                                .flatMap(where ->
                                        Stream.of(false, true)
                                                .map(isCrash -> test(burst, where, isCrash))));
    }

    private DynamicTest test(int burst, Where where, boolean isCrash) {
        String name = where + " " + burst + (isCrash ? ", then crash" : ", then go on");
        return DynamicTest.dynamicTest(name, () -> breakAt(burst, where, isCrash));
    }

    private void breakAt(int burst, Where where, boolean isCrash) {
        redis.call("FLUSHALL");
        CronSchedule schedule = missed();
        try (FaultProxy proxy = new FaultProxy(SERVER.address())) {
            switch (where) {
                case BEFORE_SEND -> proxy.cutBeforeSend(burst);
                case BEFORE_REPLY -> proxy.cutAfterReplyBytes(burst, 0);
                case AFTER_REPLY -> proxy.cutAfterReplies(burst);
            }
            CronFiring first = start(proxy.address(), schedule);
            if (isCrash) {
                Eventually.until("the cut", () -> proxy.firedCuts() > 0 || jobs() == TICKS);
                proxy.shut();
                first.stop(LONG);
                // As if its turn had lapsed.
                redis.call("DEL", "mw:cron:turn:" + new CronFile(List.of(schedule)).digest());
                CronFiring second = start(SERVER.address(), schedule);
                awaitAll();
                second.stop(LONG);
            } else {
                awaitAll();
                first.stop(LONG);
            }
        }
        check();
    }

    /// A schedule with ticks that nobody has decided, and none soon.
    private CronSchedule missed() {
        Instant now = now();
        long minute = now.getEpochSecond() / 60 % 60;
        String hourly = (minute + 30) % 60 + " * * * *";
        CronSchedule schedule =
                new CronSchedule(
                        "hourly", hourly, "UTC", "Report", "q", "[]", false, Missed.ALL, "", "{}");
        long decided = now.minus(Duration.ofHours(TICKS)).toEpochMilli();
        redis.call("HSET", "mw:cron", "hourly", decided + " " + schedule.note());
        return schedule;
    }

    private static Instant now() {
        try (CronTable table = new CronTable(SERVER.connect())) {
            return Instant.ofEpochMilli(table.now());
        }
    }

    private static CronFiring start(RedisAddress address, CronSchedule schedule) {
        CronFiring firing =
                new CronFiring(
                        new CronTable(new RedisConnection(address, "test", LONG)),
                        new CronFile(List.of(schedule)),
                        new Random(),
                        _ -> {},
                        new Outage(_ -> {}, System::nanoTime));
        firing.start();
        return firing;
    }

    private long jobs() {
        return (Long) Objects.requireNonNull(redis.call("LLEN", "queue:q"));
    }

    private void awaitAll() {
        Eventually.until("all ticks are decided", () -> jobs() >= TICKS);
    }

    private void check() {
        try (CronTable table = new CronTable(SERVER.connect())) {
            List<JsonObject> runs = table.runs("hourly").stream().map(JsonObject::of).toList();
            List<Instant> ticks = new ArrayList<>();
            runs.reversed().forEach(run -> ticks.add(run.instant("tick").orElseThrow()));
            assertThat(jobs()).isEqualTo(TICKS);
            assertThat(ticks).hasSize(TICKS);
            for (int i = 1; i < TICKS; i++) {
                assertThat(ticks.get(i)).isEqualTo(ticks.get(i - 1).plus(Duration.ofHours(1)));
            }
            CronTable.Mark mark = table.marks(List.of("hourly"), table.now()).get("hourly");
            Objects.requireNonNull(mark);
            assertThat(Instant.ofEpochMilli(mark.millis())).isEqualTo(ticks.getLast());
        }
    }
}
