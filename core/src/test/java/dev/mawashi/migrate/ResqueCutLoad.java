package dev.mawashi.migrate;

import static dev.mawashi.migrate.MigrationRig.keys;
import static dev.mawashi.migrate.MigrationRig.text;
import static dev.mawashi.migrate.MigrationRig.texts;
import static dev.mawashi.migrate.ResqueJobs.delay;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A queue of Resque's, its failures, delayed jobs and a counter.
final class ResqueCutLoad implements CutLoad {
    private static final List<String> OLD = large("s", 3);
    private static final List<String> NEW = List.of("{\"d\":0}", "{\"d\":1}");
    private static final List<String> FAILURES = large("f", 3);
    private static final List<String> FIRST = large("one", 3);
    private static final List<String> SECOND = large("two", 1);

    /// Two of these are a batch.
    private static List<String> large(String name, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"" + name + "\":" + i + ",\"x\":\"" + "x".repeat(150_000) + "\"}")
                .toList();
    }

    @Override
    public void fill(MigrationRig rig) {
        fill(rig.source, "resque:queue:q", OLD);
        fill(rig.source, "resque:failed", FAILURES);
        delay(rig.source, "5", FIRST);
        delay(rig.source, "6", SECOND);
        rig.source.call("SET", "resque:stat:processed", "7");
        fill(rig.target, "resque:queue:q", NEW);
        delay(rig.target, "5", NEW);
    }

    private static void fill(RedisConnection redis, String list, List<String> jobs) {
        redis.call("SADD", "resque:queues", "q");
        jobs.forEach(job -> redis.call("RPUSH", list, job));
    }

    @Override
    public void check(MigrationRig rig, String when) {
        RedisConnection target = rig.target;
        check(target, "resque:queue:q", Stream.of(OLD, NEW), when);
        check(target, "resque:failed", Stream.of(FAILURES), when);
        check(target, "resque:delayed:5", Stream.of(NEW, FIRST), when);
        check(target, "resque:delayed:6", Stream.of(SECOND), when);
        assertThat(texts(target, "ZRANGE", "resque:delayed_queue_schedule", "0", "-1"))
                .as(when)
                .containsExactly("5", "6");
        for (String job : FIRST) {
            assertThat(texts(target, "SMEMBERS", "resque:timestamps:" + job))
                    .as(when)
                    .containsExactly("delayed:5");
        }
        assertThat(text(target, "GET", "resque:stat:processed")).as(when).isEqualTo("7");
        assertThat(keys(rig.source)).as(when).containsExactly("resque:queues");
    }

    private static void check(
            RedisConnection target, String list, Stream<List<String>> jobs, String when) {
        List<String> there = texts(target, "LRANGE", list, "0", "-1");
        assertThat(there.equals(jobs.flatMap(List::stream).toList()))
                .as(
                        when
                                + ": "
                                + list
                                + " has "
                                + there.stream().map(ResqueCutLoad::begin).toList())
                .isTrue();
    }

    private static String begin(String job) {
        return job.substring(0, Math.min(10, job.length()));
    }
}
