package dev.mawashi.migrate;

import static dev.mawashi.migrate.MigrationRig.keys;
import static dev.mawashi.migrate.MigrationRig.number;
import static dev.mawashi.migrate.MigrationRig.text;
import static dev.mawashi.migrate.MigrationRig.texts;
import static dev.mawashi.migrate.ResqueJobs.delay;
import static dev.mawashi.migrate.ResqueJobs.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.wire.ResqueKeys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A migration of Resque's keys to another namespace, in another Redis or in their own.
final class ResqueRenamingIT {
    private static final String[] JOBS = {"{\"class\":\"A\"}", "{\"class\":\"B\"}"};

    @RegisterExtension
    static final MigrationRig RIG = new MigrationRig(ResqueKeys.DEFAULT.layout());

    private final RedisConnection source = RIG.source;
    private final RedisConnection target = RIG.target;

    /// One of each kind that a migration moves or copies.
    private void fill() {
        source.call("SADD", "resque:queues", "q");
        source.call("RPUSH", "resque:queue:q", JOBS[0], JOBS[1]);
        source.call("RPUSH", "resque:failed", "f");
        source.call("SADD", "resque:failed_queues", "low_failed");
        source.call("RPUSH", "resque:low_failed", "l");
        delay(source, "5", List.of(JOBS));
        source.call("SET", "resque:stat:processed", "70");
        source.call("SET", "resque:stat:failed", "7");
        source.call("ZADD", "mw:{resque}:oversized", "1", "huge");
        source.call("SADD", "mw:{resque}:queues", "q");
        source.call("RPUSH", "mw:{resque:queue:q}:suspects", "suspect");
        source.call("SET", "resque:pause-all-workers", "true");
        source.call("SADD", "mw:cron:paused", "resque:nightly", "shop:other");
        source.call("HSET", "mw:{resque}:cron", "nightly", "{}");
        source.call("HSET", "resque:persistent_schedules", "nightly", "{}");
        source.call("HSET", "resque:delayed:last_enqueued_at", "nightly", "n");
    }

    private Migrated rename(RedisAddress to, String words) {
        Ends same = RIG.ends(RIG.oldServer.address(), to);
        Ends ends =
                new Ends(
                        same.from(),
                        same.to(),
                        new Ends.Names("the old", words),
                        same.layout(),
                        new ResqueKeys("shop").layout());
        return RIG.once(ends, Duration.ZERO);
    }

    private static void assertRenamed(RedisConnection redis) {
        assertThat(list(redis, "shop:queue:q")).containsExactly("suspect", JOBS[0], JOBS[1]);
        assertThat(texts(redis, "SMEMBERS", "shop:queues")).containsExactly("q");
        assertThat(list(redis, "shop:failed")).containsExactly("f");
        assertThat(list(redis, "shop:low_failed")).containsExactly("l");
        assertThat(texts(redis, "SMEMBERS", "shop:failed_queues")).containsExactly("low_failed");
        assertThat(list(redis, "shop:delayed:5")).containsExactly(JOBS);
        assertThat(texts(redis, "ZRANGE", "shop:delayed_queue_schedule", "0", "-1"))
                .containsExactly("5");
        assertThat(texts(redis, "SMEMBERS", "shop:timestamps:" + JOBS[0]))
                .containsExactly("delayed:5");
        assertThat(texts(redis, "MGET", "shop:stat:processed", "shop:stat:failed"))
                .containsExactly("70", "7");
        assertThat(texts(redis, "ZRANGE", "mw:{shop}:oversized", "0", "-1"))
                .containsExactly("huge");
        assertThat(text(redis, "GET", "shop:pause-all-workers")).isEqualTo("true");
        assertThat(number(redis, "SISMEMBER", "mw:cron:paused", "shop:nightly")).isOne();
        assertThat(text(redis, "HGET", "mw:{shop}:cron", "nightly")).isEqualTo("{}");
        assertThat(text(redis, "HGET", "shop:persistent_schedules", "nightly")).isEqualTo("{}");
        assertThat(texts(redis, "SMEMBERS", "shop:schedules_changed")).containsExactly("nightly");
        assertThat(text(redis, "HGET", "shop:delayed:last_enqueued_at", "nightly")).isEqualTo("n");
    }

    @Test
    void allGetsTheNewNamespaceInTheOtherRedis() {
        fill();
        target.call("RPUSH", "shop:queue:q", "waits");
        target.call("SET", "shop:stat:failed", "0");

        Migrated done = rename(RIG.newServer.address(), "the new, renamed");

        target.call("LREM", "shop:queue:q", "1", "waits");
        assertRenamed(target);
        assertThat(texts(target, "SMEMBERS", "mw:cron:paused")).containsExactly("shop:nightly");
        assertThat(keys(target)).noneMatch(key -> key.contains("resque"));
        assertThat(done.refused()).isEmpty();
        assertThat(done.jobs()).containsEntry("resque:queue:q", 3L);
        assertThat(number(source, "EXISTS", "resque:queue:q", "resque:failed", "mw:batch"))
                .isZero();
    }

    @Test
    void allGetsTheNewNamespaceInItsOwnRedis() {
        fill();

        rename(RIG.oldServer.address(), "the old, renamed");

        assertRenamed(source);
        assertThat(number(source, "EXISTS", "resque:queue:q", "resque:failed", "mw:batch"))
                .isZero();
    }

    @Test
    void aBatchOnItsWayUnderItsOldNameIsNotRenamed() {
        source.call("SADD", "resque:queues", "q");
        source.call(
                "RPUSH",
                "mw:batch",
                "{\"batch\":\"b\",\"kind\":\"list\",\"queues\":\"resque:queue:\",\"place\":\"q\","
                        + "\"first\":false,\"to\":\"the new\"}",
                JOBS[0]);

        assertThatThrownBy(() -> rename(RIG.newServer.address(), "the new, renamed"))
                .isInstanceOf(MigrationFailure.class)
                .hasMessageContaining("a migration to the new has stopped with 1 jobs");
        assertThat(keys(target)).isEmpty();

        RIG.once();
        assertThat(list(target, "resque:queue:q")).containsExactly(JOBS[0]);
    }

    @Test
    void aSecondOfAWrongTypeUnderTheNewNameStopsNoOther() {
        delay(source, "4", List.of(JOBS));
        delay(source, "5", List.of(JOBS));
        target.call("SET", "shop:delayed:4", "odd");

        Migrated done = rename(RIG.newServer.address(), "the new, renamed");

        assertThat(done.refused().get("resque:delayed_queue_schedule")).contains("shop:delayed:4");
        assertThat(done.jobs()).isEqualTo(Map.of("resque:delayed_queue_schedule", 2L));
        assertThat(list(source, "resque:delayed:4")).containsExactly(JOBS);
    }
}
