package dev.mawashi.migrate;

import static dev.mawashi.migrate.MigrationRig.bytes;
import static dev.mawashi.migrate.MigrationRig.job;
import static dev.mawashi.migrate.MigrationRig.jobs;
import static dev.mawashi.migrate.MigrationRig.keys;
import static dev.mawashi.migrate.MigrationRig.number;
import static dev.mawashi.migrate.MigrationRig.push;
import static dev.mawashi.migrate.MigrationRig.text;
import static dev.mawashi.migrate.MigrationRig.texts;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisFailure;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What a migration leaves in each of the two Redises.
@Tag("stack")
final class MigrationIT {
    @RegisterExtension static final MigrationRig RIG = new MigrationRig();

    private final RedisConnection source = RIG.source;
    private final RedisConnection target = RIG.target;

    private static String[] many(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> job(prefix + i)).toArray(String[]::new);
    }

    @Test
    void jobsGoBeforeThoseThatWaitThereInTheirOrder() {
        push(source, "q", many("s", 1_234));
        push(target, "q", many("d", 600));

        Migrated done = RIG.once();

        assertThat(jobs(target, "queue:q"))
                .containsExactlyElementsOf(
                        Stream.of(many("s", 1_234), many("d", 600))
                                .flatMap(Arrays::stream)
                                .toList());
        assertThat(done.jobs()).containsExactly(Map.entry("queue:q", 1_234L));
        assertThat(done.isWhole()).isTrue();
        assertThat(keys(source)).containsExactly("queues");
        assertThat(keys(target)).containsExactly("queue:q", "queues");
    }

    @Test
    void whatComesLaterGoesBehind() {
        push(source, "q", many("s", 3));
        push(target, "q", job("d"));
        RIG.once();
        push(source, "q", many("late", 2));

        RIG.once();

        assertThat(jobs(target, "queue:q"))
                .containsExactly(
                        job("s0"), job("s1"), job("s2"), job("d"), job("late0"), job("late1"));
    }

    @Test
    void aQueueThatTheOtherRedisHasNotGetsItsName() {
        push(source, "low", job("a"));

        RIG.once();

        assertThat(texts(target, "SMEMBERS", "queues")).containsExactly("low");
    }

    @Test
    void payloadsAreTheSameBytes() {
        byte[] odd = {'{', (byte) 0xff, 0, '\r', '\n', (byte) 0x80};
        byte[] large = new byte[15 << 20];
        Arrays.fill(large, (byte) 'x');
        for (byte[] payload : List.of(odd, large, bytes(job("small")))) {
            source.call(bytes("LPUSH"), bytes("queue:q"), payload);
            source.call(bytes("ZADD"), bytes("dead"), bytes("1.5"), payload);
        }
        source.call("SADD", "queues", "q");

        RIG.once();

        List<String> all =
                List.of(new String(odd, ISO_8859_1), new String(large, ISO_8859_1), job("small"));
        assertThat(jobs(target, "queue:q").equals(all)).isTrue();
        assertThat(List.copyOf(texts(target, "ZRANGE", "dead", "0", "-1")))
                .containsExactlyInAnyOrderElementsOf(all);
        assertThat(keys(source)).containsExactly("queues");
    }

    @Test
    void entriesOfSetsKeepTheirScoresAndEqualBytesStayTwo() {
        source.call("ZADD", "schedule", "inf", job("never"), "1795225704.961886", job("soon"));
        source.call("ZADD", "retry", "1795225704.9618861", job("r"));
        target.call("ZADD", "retry", "5", job("r"));

        List<String> schedule = texts(source, "ZRANGE", "schedule", "0", "-1", "WITHSCORES");
        List<String> retry = texts(source, "ZRANGE", "retry", "0", "-1", "WITHSCORES");

        Migrated done = RIG.once();

        assertThat(texts(target, "ZRANGE", "schedule", "0", "-1", "WITHSCORES"))
                .containsExactlyElementsOf(schedule);
        List<String> retries = texts(target, "ZRANGE", "retry", "0", "-1", "WITHSCORES");
        assertThat(retries).hasSize(4).startsWith(job("r"), "5").endsWith(retry.getLast());
        assertThat(retries.get(2).strip()).isEqualTo(job("r"));
        assertThat(done.sum()).isEqualTo(3);
    }

    @Test
    void countersAreAddedOnce() {
        source.call("SADD", "queues", "q");
        source.call("SET", "stat:processed", "70");
        source.call("SET", "stat:failed:2026-11-21", "7", "EX", "1000");
        target.call("SET", "stat:processed", "3");

        RIG.once();
        RIG.once();

        assertThat(text(target, "GET", "stat:processed")).isEqualTo("73");
        assertThat(text(target, "GET", "stat:failed:2026-11-21")).isEqualTo("7");
        assertThat(number(target, "TTL", "stat:failed:2026-11-21")).isBetween(1L, 1_000L);
        assertThat(number(target, "TTL", "stat:processed")).isEqualTo(-1);
        assertThat(keys(source)).containsExactly("queues");
    }

    @Test
    void locksGoWithTheirJobs() {
        String job = job("own").replace("}", ",\"mw_lock\":\"abcdefghijklmn\"}");
        String other = job("two").replace("}", ",\"mw_lock\":\"bbcdefghijklmn\"}");
        push(source, "q", job, other);
        source.call("HSET", "mw:locks", "abcdefghijklmn", "9999999999999 own A");
        source.call("HSET", "mw:locks", "bbcdefghijklmn", "9999999999999 third A");

        RIG.once();

        assertThat(texts(target, "HGETALL", "mw:locks"))
                .containsExactly("abcdefghijklmn", "9999999999999 own A");
        assertThat(number(target, "TTL", "mw:locks")).isPositive();
        assertThat(texts(source, "HKEYS", "mw:locks")).containsExactly("bbcdefghijklmn");
    }

    @Test
    void pausesAndTicksOfSchedulesAreCopied() {
        source.call("SADD", "paused", "low");
        source.call("HSET", "mw:cron", "nightly", "5 old", "hourly", "6 old");
        target.call("HSET", "mw:cron", "nightly", "7 new");
        push(source, "low", job("a"));

        RIG.once();

        assertThat(texts(target, "SMEMBERS", "paused")).containsExactly("low");
        assertThat(texts(target, "HMGET", "mw:cron", "nightly", "hourly"))
                .containsExactly("7 new", "6 old");
    }

    @Test
    void schedulesOfGemsAreCopied() {
        String key = "cron_job:default:nightly";
        push(source, "q", job("a"));
        source.call("SADD", "cron_jobs:default", key);
        source.call("HSET", key, "cron", "@daily", "status", "disabled");
        source.call("ZADD", key + ":enqueued", "5.5", "tick");
        source.call("HSET", "schedules", "hourly", "{}");

        RIG.once();

        assertThat(texts(target, "SMEMBERS", "cron_jobs:default")).containsExactly(key);
        assertThat(texts(target, "HMGET", key, "cron", "status"))
                .containsExactly("@daily", "disabled");
        assertThat(texts(target, "ZRANGE", key + ":enqueued", "0", "-1", "WITHSCORES"))
                .containsExactly("tick", "5.5");
        assertThat(texts(target, "HGETALL", "schedules")).containsExactly("hourly", "{}");
    }

    @Test
    void iterableJobsGoOnWhereTheyWere() {
        push(source, "q", job("a"), job("b"));
        source.call("HSET", "it-a", "ex", "2", "c", "17");
        source.call("EXPIRE", "it-a", "1000");

        RIG.once();

        assertThat(texts(target, "HGETALL", "it-a")).containsExactly("ex", "2", "c", "17");
        assertThat(number(target, "TTL", "it-a")).isBetween(1L, 1_000L);
        assertThat(keys(source)).containsExactly("queues");
    }

    /// A migration during which something is done after each batch.
    private Migrated meanwhile(Runnable deed, BooleanSupplier isStopped) {
        Migration.Progress progress =
                new Migration.Progress() {
                    @Override
                    public void moved(String place, long jobs) {
                        deed.run();
                    }

                    @Override
                    public void waits(Left left) {}
                };
        push(source, "q", many("s", 1_234));
        try (Migration migration = RIG.migration(progress, isStopped)) {
            return migration.run(true);
        }
    }

    @Test
    void aTurnThatHasLapsedIsTakenAgain() {
        Migrated done = meanwhile(() -> source.call("DEL", "mw:migrating"), () -> false);

        assertThat(done.sum()).isEqualTo(1_234);
        assertThat(jobs(target, "queue:q")).containsExactly(many("s", 1_234));
    }

    @Test
    void aTurnThatAnotherHasTakenIsLeftToIt() {
        String other = "{\"by\":\"bob@web\",\"since\":\"today\"}";

        Runnable taking = () -> source.call("SET", "mw:migrating", other);
        assertThatThrownBy(() -> meanwhile(taking, () -> false))
                .isInstanceOf(MigrationFailure.class)
                .hasMessageContaining("bob@web migrates these jobs since today");

        assertThat(text(source, "GET", "mw:migrating")).isEqualTo(other);
        source.call("DEL", "mw:migrating");
        RIG.once();
        assertThat(jobs(target, "queue:q")).containsExactly(many("s", 1_234));
    }

    @Test
    void whatHasComeBeforeAStopIsWorkedOnAndTheRestGoesBehind() {
        push(target, "q", job("d"));
        AtomicBoolean isStopped = new AtomicBoolean();

        Migrated done = meanwhile(() -> isStopped.set(true), isStopped::get);

        assertThat(done.sum()).isEqualTo(500);
        assertThat(jobs(target, "queue:q")).hasSize(501).startsWith(job("s0")).endsWith(job("d"));
        RIG.once();
        assertThat(jobs(target, "queue:q").stream().filter(one -> !one.equals(job("d"))))
                .containsExactly(many("s", 1_234));
    }

    @Test
    void aRedisThatIsFullMeanwhileKeepsWhatHasComeAndTheRestGoesBack() {
        Runnable filling = () -> target.call("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThatThrownBy(() -> meanwhile(filling, () -> false))
                    .isInstanceOf(RedisFailure.class)
                    .hasMessageContaining("OOM");
        } finally {
            target.call("CONFIG", "SET", "maxmemory", "0");
        }

        assertThat(jobs(target, "queue:q")).hasSize(500);
        assertThat(jobs(source, "queue:q")).hasSize(734).startsWith(job("s500"));
        assertThat(keys(source)).containsExactly("queue:q", "queues");
        RIG.once();
        assertThat(jobs(target, "queue:q")).containsExactly(many("s", 1_234));
    }

    @Test
    void whatDeadProcessesHadInHandGoesToo() {
        source.call("SADD", "queues", "q");
        source.call("SADD", "mw:queues", "q");
        source.call("ZADD", "mw:{queue:q}:leases", "1", "dead:1:x#1");
        source.call("HSET", "mw:{queue:q}:inflight:dead:1:x#1", "1", job("held"), "2", job("next"));
        source.call("RPUSH", "mw:{queue:q}:suspects", job("suspect"));
        source.call("HSET", "mw:{queue:lost}:inflight:dead:2:x#1", "1", job("stray"));
        push(source, "q", job("a"));

        Migrated done;
        try (Migration migration = RIG.migration(RIG.ends(), Duration.ZERO)) {
            done = migration.run(false);
        }

        assertThat(jobs(target, "queue:q"))
                .containsExactlyInAnyOrder(job("held"), job("next"), job("suspect"), job("a"));
        assertThat(jobs(target, "queue:lost")).containsExactly(job("stray"));
        assertThat(done.isWhole()).isTrue();
    }
}
