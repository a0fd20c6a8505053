package dev.mawashi.migrate;

import static dev.mawashi.migrate.MigrationRig.keys;
import static dev.mawashi.migrate.MigrationRig.number;
import static dev.mawashi.migrate.MigrationRig.texts;
import static dev.mawashi.migrate.ResqueJobs.delay;
import static dev.mawashi.migrate.ResqueJobs.job;
import static dev.mawashi.migrate.ResqueJobs.list;
import static dev.mawashi.migrate.ResqueJobs.many;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import dev.mawashi.wire.ResqueKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What a migration makes of the delayed jobs of resque-scheduler.
@Tag("stack")
final class DelayedMigrationIT {
    private static final String SECONDS = "resque:delayed_queue_schedule";

    @RegisterExtension
    static final MigrationRig RIG = new MigrationRig(ResqueKeys.DEFAULT.layout());

    private final RedisConnection source = RIG.source;
    private final RedisConnection target = RIG.target;

    @Test
    void jobsKeepTheirSeconds() {
        List<String> twins = new ArrayList<>(many("twin", 600));
        twins.addAll(many("twin", 600));
        delay(source, "9999999999", twins);
        for (int i = 0; i < 700; i++) {
            delay(source, "" + (8_888_888_888L + i), List.of(job("single")));
        }
        delay(target, "9999999999", many("d", 1));
        source.call("ZADD", SECONDS, "7777777777.5", "8888888888");
        source.call("ZADD", SECONDS, "1", "1");

        Migrated done = RIG.once();

        assertThat(list(target, "resque:delayed:9999999999"))
                .containsExactlyElementsOf(
                        Stream.concat(many("d", 1).stream(), twins.stream()).toList());
        assertThat(number(target, "ZCARD", SECONDS)).isEqualTo(701);
        assertThat(texts(target, "ZRANGE", SECONDS, "0", "0", "WITHSCORES"))
                .containsExactly("8888888888", "7777777777.5");
        assertThat(list(target, "resque:delayed:8888889000")).containsExactly(job("single"));
        assertThat(number(target, "SCARD", "resque:timestamps:" + job("single"))).isEqualTo(700);
        assertThat(texts(target, "SMEMBERS", "resque:timestamps:" + job("twin5")))
                .containsExactly("delayed:9999999999");
        assertThat(done.jobs()).containsExactly(Map.entry(SECONDS, 1_900L));
        assertThat(keys(source)).isEmpty();
    }

    @Test
    void thoseThatTheOtherRefusesGoBack() {
        delay(source, "9999999999", many("s", 700));
        delay(source, "8888888888", many("first", 2));
        List<String> before = keys(source);
        AtomicBoolean isFull = new AtomicBoolean();
        Migration.Progress filling =
                new Migration.Progress() {
                    @Override
                    public void moved(String place, long jobs) {
                        isFull.set(true);
                        target.call("CONFIG", "SET", "maxmemory", "1");
                    }

                    @Override
                    public void waits(Left left) {}
                };
        try (Migration migration = RIG.migration(filling, () -> false)) {
            assertThatThrownBy(() -> migration.run(true))
                    .isInstanceOf(RedisFailure.class)
                    .hasMessageContaining("OOM");
        } finally {
            target.call("CONFIG", "SET", "maxmemory", "0");
        }

        assertThat(isFull).isTrue();
        assertThat(list(source, "resque:delayed:9999999999")).hasSize(202).startsWith(job("s498"));
        assertThat(texts(source, "ZRANGE", SECONDS, "0", "-1")).containsExactly("9999999999");
        assertThat(keys(source)).doesNotContain("mw:batch").isSubsetOf(before);
        RIG.once();
        assertThat(list(target, "resque:delayed:9999999999"))
                .containsExactlyElementsOf(many("s", 700));
        assertThat(keys(source)).isEmpty();
    }

    @Test
    void aSecondOfAWrongTypeInTheOtherStopsNoOther() {
        for (int second = 1; second <= 600; second++) {
            delay(source, "" + second, List.of(job("at" + second)));
        }
        target.call("SET", "resque:delayed:3", "odd");
        target.call("SET", "resque:delayed:555", "odd");

        Migrated done = RIG.once();

        assertThat(done.refused()).containsOnlyKeys(SECONDS);
        assertThat(done.refused().get(SECONDS)).containsPattern("resque:delayed:(3|555)\\b");
        assertThat(done.jobs()).containsExactly(Map.entry(SECONDS, 598L));
        assertThat(number(target, "ZCARD", SECONDS)).isEqualTo(598);
        assertThat(texts(source, "ZRANGE", SECONDS, "0", "-1")).containsExactly("3", "555");
        assertThat(list(source, "resque:delayed:3")).containsExactly(job("at3"));
        assertThat(list(source, "resque:delayed:555")).containsExactly(job("at555"));
        assertThat(keys(source)).doesNotContain("mw:batch");

        target.call("DEL", "resque:delayed:3", "resque:delayed:555");
        RIG.once();
        assertThat(keys(source)).isEmpty();
        assertThat(number(target, "ZCARD", SECONDS)).isEqualTo(600);
    }

    @Test
    void laterOnesGoThoughASecondWasRefused() {
        delay(source, "3", many("odd", 1));
        target.call("SET", "resque:delayed:3", "odd");
        source.call("SADD", "resque:workers", "web-1:1:q");
        Migration.Progress progress =
                new Migration.Progress() {
                    @Override
                    public void moved(String place, long jobs) {}

                    @Override
                    public void waits(Left left) {
                        delay(source, "4", many("later", 2));
                        source.call("DEL", "resque:workers");
                    }
                };
        Migrated done;
        try (Migration migration = RIG.migration(progress, () -> false)) {
            done = migration.run(false);
        }

        assertThat(list(target, "resque:delayed:4")).containsExactlyElementsOf(many("later", 2));
        assertThat(texts(source, "ZRANGE", SECONDS, "0", "-1")).containsExactly("3");
        assertThat(done.refused().get(SECONDS)).contains("resque:delayed:3");
    }
}
