package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A move to another Redis while the app enqueues with the sidekiq gem, an old server works on the
/// old Redis and a new one on the new: each job runs once, and the command ends after the old
/// server, which has jobs in hand until then.
@Tag("stack")
final class MigrateIT {
    private static final int SLOTS = 2;
    private static final int WAITING = 3_000;
    private static final int ENQUEUED = 600;
    private static final String WEB =
            ENQUEUED
                    + ".times { |n| PlainJob.perform_async(n); sleep 0.002 };"
                    + " PlainJob.perform_in(3600)";

    @TempDir Path folder;

    @Test
    void eachJobRunsOnce() {
        try (RedisServerForTests target = new RedisServerForTests();
                RedisConnection there = target.connect();
                Workplace place = new Workplace(folder)) {
            place.pushJobs(SLOTS, "held", "GateJob", "[\"gate\"]");
            place.pushJobs(WAITING, "waiting", "PlainJob", "[]");
            Child before = place.runOnMri(Workplace.NO_GEMS, "-c", "" + SLOTS);
            Child after = place.runOnMri(Map.of("REDIS_URL", target.url()), "-c", "" + SLOTS);
            place.await(
                    "the old one is busy", () -> place.ledger().count("start", "GateJob") == SLOTS);
            Child web =
                    place.start("web", List.of("ruby", "-r", Workplace.APP, "-e", WEB), Map.of());
            after.awaitLog("working on");

            Child migrate = migrate(place, target);
            assertThat(web.awaitExit()).as(web::log).isZero();
            place.await("the new one has run the rest", () -> runs(place) >= ENQUEUED);
            assertThat(migrate.isAlive()).as(migrate::log).isTrue();
            place.open("gate");
            before.signal("TERM");
            assertThat(before.awaitExit()).as(before::log).isZero();
            assertThat(migrate.awaitExit()).as(migrate::log).isZero();

            place.await("all have run", () -> runs(place) >= WAITING + ENQUEUED + SLOTS);
            after.signal("TERM");
            assertThat(after.awaitExit()).as(after::log).isZero();
            assertThat(runs(place)).isEqualTo(WAITING + ENQUEUED + SLOTS);
            assertThat(place.ledger().byJid("end")).hasSize(WAITING + ENQUEUED + SLOTS);
            assertThat(place.ledger().byPid("end")).hasSize(2);
            assertThat(there.call("ZCARD", "schedule")).isEqualTo(1L);
            assertThat(migrate.log()).contains("moved from " + place.redisUrl());
            assertThat(place.number("EXISTS", "queue:default", "mw:batch", "schedule")).isZero();
        }
    }

    /// Long: the same for other keys; `eachJobRunsOnce` is the quick one, and `MigrateCommandIT`
    /// moves Resque's.
    @Tag("long")
    @Test
    void soDoesEachOfResques() {
        try (RedisServerForTests target = new RedisServerForTests();
                RedisConnection there = target.connect();
                Workplace place = new Workplace(folder)) {
            push(place, "high", "held", SLOTS, ",\"wait\"");
            Child before = resque(place, Workplace.NO_GEMS);
            place.await("it is busy", () -> place.ledger().byJid("start").size() == SLOTS);
            Child after = resque(place, Map.of("REDIS_URL", target.url()));
            push(place, "low", "waiting", WAITING, "");
            delay(place, "1", "due");
            delay(place, "9999999999", "later");
            Child migrate = migrate(place, target, "--resque", "--resque-namespace", "app");
            push(place, "low", "late", ENQUEUED, "");
            place.await(
                    "all but those have run",
                    () -> place.ledger().byJid("end").size() == WAITING + ENQUEUED + 1);
            assertThat(migrate.isAlive()).as(migrate::log).isTrue();
            for (int i = 0; i < SLOTS; i++) {
                place.open("held" + i);
            }
            before.signal("TERM");
            assertThat(before.awaitExit()).as(before::log).isZero();
            assertThat(migrate.awaitExit()).as(migrate::log).isZero();

            after.signal("TERM");
            assertThat(after.awaitExit()).as(after::log).isZero();
            assertThat(place.ledger().byJid("start"))
                    .hasSize(WAITING + ENQUEUED + 1 + SLOTS)
                    .allSatisfy((_, count) -> assertThat(count).isOne());
            assertThat(place.ledger().byPid("end")).hasSize(2);
            assertThat(there.call("ZCARD", "app:delayed_queue_schedule")).isEqualTo(1L);
            assertThat(there.call("EXISTS", "app:failed")).isEqualTo(0L);
            assertThat(place.strings("KEYS", "app:queue:*")).isEmpty();
            assertThat(place.strings("KEYS", "app:delayed*")).isEmpty();
        }
    }

    private static Child migrate(Workplace place, RedisServerForTests target, String... flags) {
        return place.mawashi(
                Map.of("FROM_REDIS_URL", place.redisUrl(), "TO_REDIS_URL", target.url()),
                Stream.concat(Stream.of("migrate"), Stream.of(flags)).toArray(String[]::new));
    }

    private static Child resque(Workplace place, Map<String, String> environment) {
        String app = Path.of("src/test/ruby/acceptance/resque_app.rb").toAbsolutePath().toString();
        Child server =
                place.mawashi(
                        environment,
                        "run",
                        "-r",
                        app,
                        "--runner",
                        "mri",
                        "--processes",
                        "1",
                        "-c",
                        "" + SLOTS,
                        "--resque",
                        "high,*",
                        "--resque-namespace",
                        "app");
        server.awaitLog("working on");
        return server;
    }

    private static String resqueJob(String jid, String more) {
        return "{\"class\":\"NotedJob\",\"args\":[\"" + jid + "\"" + more + "]";
    }

    private static void push(Workplace place, String queue, String name, int count, String more) {
        place.number("SADD", "app:queues", queue);
        for (int i = 0; i < count; i++) {
            place.number("RPUSH", "app:queue:" + queue, resqueJob(name + i, more) + "}");
        }
    }

    private static void delay(Workplace place, String second, String jid) {
        String job = resqueJob(jid, "") + ",\"queue\":\"low\"}";
        place.number("RPUSH", "app:delayed:" + second, job);
        place.number("SADD", "app:timestamps:" + job, "delayed:" + second);
        place.number("ZADD", "app:delayed_queue_schedule", second, second);
    }

    private static long runs(Workplace place) {
        return place.ledger().count("end", "PlainJob") + place.ledger().count("end", "GateJob");
    }
}
