package dev.mawashi.migrate;

import static dev.mawashi.migrate.MigrationRig.keys;
import static dev.mawashi.migrate.MigrationRig.number;
import static dev.mawashi.migrate.MigrationRig.text;
import static dev.mawashi.migrate.MigrationRig.texts;
import static dev.mawashi.migrate.ResqueJobs.delay;
import static dev.mawashi.migrate.ResqueJobs.job;
import static dev.mawashi.migrate.ResqueJobs.list;
import static dev.mawashi.migrate.ResqueJobs.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What a migration of Resque's keys leaves in each of the two Redises.
@Tag("stack")
final class ResqueMigrationIT {
    private static final String SECONDS = "resque:delayed_queue_schedule";

    @RegisterExtension
    static final MigrationRig RIG = new MigrationRig(ResqueKeys.DEFAULT.layout());

    private final RedisConnection source = RIG.source;
    private final RedisConnection target = RIG.target;

    private static List<String> both(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /// Enqueues as Resque's client does.
    private static void push(RedisConnection redis, String queue, List<String> jobs) {
        redis.call("SADD", "resque:queues", queue);
        append(redis, "resque:queue:" + queue, jobs);
    }

    private static void append(RedisConnection redis, String list, List<String> jobs) {
        jobs.forEach(job -> redis.call("RPUSH", list, job));
    }

    @Test
    void jobsGoBeforeThoseThatWaitThereInTheirOrder() {
        push(source, "q", many("s", 1_234));
        push(target, "q", many("d", 600));

        Migrated done = RIG.once();

        assertThat(list(target, "resque:queue:q"))
                .containsExactlyElementsOf(both(many("s", 1_234), many("d", 600)));
        assertThat(done.jobs()).containsExactly(Map.entry("resque:queue:q", 1_234L));
        assertThat(done.isWhole()).isTrue();
        assertThat(keys(source)).containsExactly("resque:queues");
        assertThat(keys(target)).containsExactly("resque:queue:q", "resque:queues");
    }

    @Test
    void whatComesLaterGoesBehind() {
        push(source, "q", many("s", 2));
        push(target, "q", List.of(job("d")));
        RIG.once();
        push(source, "q", List.of(job("late")));

        RIG.once();

        assertThat(list(target, "resque:queue:q"))
                .containsExactly(job("s0"), job("s1"), job("d"), job("late"));
    }

    @Test
    void failuresGoBehindThoseThere() {
        append(source, "resque:failed", many("f", 700));
        append(target, "resque:failed", many("d", 2));
        append(source, "resque:low_failed", many("own", 2));
        source.call("SADD", "resque:failed_queues", "low_failed");

        Migrated done = RIG.once();

        assertThat(list(target, "resque:failed"))
                .containsExactlyElementsOf(both(many("d", 2), many("f", 700)));
        assertThat(list(target, "resque:low_failed")).containsExactlyElementsOf(many("own", 2));
        assertThat(texts(target, "SMEMBERS", "resque:failed_queues")).containsExactly("low_failed");
        assertThat(done.jobs())
                .containsExactly(
                        Map.entry("resque:failed", 700L), Map.entry("resque:low_failed", 2L));
        assertThat(keys(source)).containsExactly("resque:failed_queues");
    }

    @Test
    void aKeyOfAWrongTypeStopsNoOther() {
        push(source, "q", many("s", 2));
        delay(source, "4", many("four", 2));
        source.call("ZADD", SECONDS, "5", "5");
        source.call("SET", "resque:delayed:5", "odd");
        delay(source, "6", many("six", 600));
        source.call("SADD", "resque:failed", "odd");

        Migrated done = RIG.once();

        assertThat(done.refused()).containsOnlyKeys(SECONDS, "resque:failed");
        assertThat(done.refused().get(SECONDS)).contains("resque:delayed:5");
        assertThat(list(target, "resque:delayed:4")).containsExactlyElementsOf(many("four", 2));
        assertThat(list(target, "resque:delayed:6")).containsExactlyElementsOf(many("six", 600));
        assertThat(list(target, "resque:queue:q")).containsExactlyElementsOf(many("s", 2));
        assertThat(text(source, "GET", "resque:delayed:5")).isEqualTo("odd");
    }

    @Test
    void countersAreAddedAndSettingsCopied() {
        source.call("SADD", "resque:queues", "q");
        source.call("SET", "resque:stat:processed", "70");
        source.call("SET", "resque:stat:failed", "7");
        target.call("SET", "resque:stat:processed", "3");
        source.call("SET", "resque:pause-all-workers", "true");
        source.call("HSET", "resque:persistent_schedules", "nightly", "{}", "hourly", "{\"o\":1}");
        target.call("HSET", "resque:persistent_schedules", "hourly", "{\"n\":1}");
        source.call("HSET", "resque:delayed:last_enqueued_at", "nightly", "2026-11-28 05:57:33 Z");
        source.call("HSET", "mw:{resque}:cron", "nightly", "{\"tick\":1}");
        source.call("SADD", "mw:cron:paused", "resque:nightly", "sidekiqs", "resque2:x");

        RIG.once();
        RIG.once();

        assertThat(text(target, "GET", "resque:stat:processed")).isEqualTo("73");
        assertThat(text(target, "GET", "resque:stat:failed")).isEqualTo("7");
        assertThat(text(target, "GET", "resque:pause-all-workers")).isEqualTo("true");
        assertThat(texts(target, "HMGET", "resque:persistent_schedules", "nightly", "hourly"))
                .containsExactly("{}", "{\"n\":1}");
        assertThat(texts(target, "SMEMBERS", "resque:schedules_changed"))
                .containsExactlyInAnyOrder("nightly", "hourly");
        assertThat(text(target, "HGET", "resque:delayed:last_enqueued_at", "nightly"))
                .isEqualTo("2026-11-28 05:57:33 Z");
        assertThat(text(target, "HGET", "mw:{resque}:cron", "nightly")).isEqualTo("{\"tick\":1}");
        assertThat(texts(target, "SMEMBERS", "mw:cron:paused")).containsExactly("resque:nightly");
    }

    @Test
    void whatDeadProcessesOfOursHadInHandGoesToo() {
        source.call("SADD", "resque:queues", "q");
        source.call("SADD", "mw:{resque}:queues", "q");
        source.call("ZADD", "mw:{resque:queue:q}:leases", "1", "dead:1:x#1");
        source.call(
                "HSET", "mw:{resque:queue:q}:inflight:dead:1:x#1", "1", job("held"), "2", job("b"));
        source.call("RPUSH", "mw:{resque:queue:q}:suspects", job("suspect"));
        source.call("HSET", "mw:{resque:queue:lost}:inflight:dead:2:x#1", "1", job("stray"));
        source.call("ZADD", "mw:{resque}:oversized", "1", "huge");
        push(source, "q", many("s", 1));

        Migrated done;
        try (Migration migration = RIG.migration(RIG.ends(), Duration.ZERO)) {
            done = migration.run(false);
        }

        assertThat(list(target, "resque:queue:q"))
                .containsExactlyInAnyOrder(job("held"), job("b"), job("suspect"), job("s0"));
        assertThat(list(target, "resque:queue:lost")).containsExactly(job("stray"));
        assertThat(texts(target, "ZRANGE", "mw:{resque}:oversized", "0", "-1"))
                .containsExactly("huge");
        assertThat(done.isWhole()).isTrue();
    }

    private Left left() {
        return RIG.once().left();
    }

    private void worker(String id, long secondsAgo, boolean isBusy) {
        source.call("SADD", "resque:workers", id);
        source.call(
                "HSET",
                "resque:workers:heartbeat",
                id,
                Instant.ofEpochSecond(Instant.now().getEpochSecond() - secondsAgo).toString());
        if (isBusy) {
            source.call("SET", "resque:worker:" + id, "{\"queue\":\"q\"}");
        }
    }

    @Test
    void workersCountWhileTheyBeatAndTheirJobsUntilTheyAreGone() {
        source.call("SADD", "resque:queues", "q");
        worker("web-1:1:q", 10, false);
        worker("web-1:2:q", 200, true);
        worker("web-1:3:q", 400, false);
        worker("mawashi@web-1:4:q", 10, true);
        worker("mawashi@web-1:5:q", 100, true);
        source.call("SADD", "resque:workers", "web-1:6:q");

        assertThat(left()).isEqualTo(new Left(4, 1, 0));

        source.call("DEL", "resque:workers");
        worker("web-1:7:q", 400, true);
        assertThat(left()).isEqualTo(new Left(0, 1, 0));
        assertThat(left().isNothing()).isFalse();

        source.call("DEL", "resque:workers", "resque:worker:web-1:7:q");
        assertThat(left().isNothing()).isTrue();
    }

    @Test
    void oneOfSidekiqsEndsABatchOfResques() {
        source.call("SADD", "queues", "other");
        source.call(
                "RPUSH",
                "mw:batch",
                "{\"batch\":\"b\",\"kind\":\"delayed\",\"queues\":\"resque:queue:\",\"place\":\""
                        + SECONDS
                        + "\",\"first\":false,\"to\":\"the new\"}",
                "5",
                "5",
                job("a"));

        try (MigrationRig rig = new MigrationRig()) {
            rig.once(rig.ends(RIG.oldServer.address(), RIG.newServer.address()), Duration.ZERO);
        }

        assertThat(list(target, "resque:delayed:5")).containsExactly(job("a"));
        assertThat(number(source, "EXISTS", "mw:batch")).isZero();
    }
}
