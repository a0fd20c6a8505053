package dev.mawashi.migrate;

import static dev.mawashi.migrate.MigrationRig.job;
import static dev.mawashi.migrate.MigrationRig.jobs;
import static dev.mawashi.migrate.MigrationRig.keys;
import static dev.mawashi.migrate.MigrationRig.push;
import static dev.mawashi.migrate.MigrationRig.text;
import static dev.mawashi.migrate.MigrationRig.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A queue, a set, a counter and a lock.
final class SidekiqCutLoad implements CutLoad {
    private static final List<String> OLD =
            IntStream.range(0, 5).mapToObj(i -> large("s" + i)).toList();
    private static final List<String> NEW = List.of(job("d0"), job("d1"));
    private static final List<String> RETRIES =
            IntStream.range(0, 3).mapToObj(i -> large("r" + i)).toList();

    /// Two of these are a batch.
    private static String large(String jid) {
        String lock = ",\"mw_lock\":\"abcdefghijklm" + jid.charAt(1) + "\"}";
        return job(jid).replace("[]", "[\"" + "x".repeat(150_000) + "\"]").replace("}", lock);
    }

    @Override
    public void fill(MigrationRig rig) {
        push(rig.source, "q", OLD.toArray(String[]::new));
        push(rig.target, "q", NEW.toArray(String[]::new));
        for (int i = 0; i < RETRIES.size(); i++) {
            rig.source.call("ZADD", "retry", "" + i, RETRIES.get(i));
        }
        rig.source.call("SET", "stat:processed", "7");
        rig.source.call("HSET", "mw:locks", "abcdefghijklm2", "9999999999999 s2 A");
    }

    @Override
    public void check(MigrationRig rig, String when) {
        RedisConnection target = rig.target;
        assertThat(
                        Stream.of(OLD, NEW)
                                .flatMap(List::stream)
                                .toList()
                                .equals(jobs(target, "queue:q")))
                .as(when + ": " + jids(jobs(target, "queue:q")))
                .isTrue();
        assertThat(RETRIES.equals(texts(target, "ZRANGE", "retry", "0", "-1"))).as(when).isTrue();
        assertThat(text(target, "GET", "stat:processed")).as(when).isEqualTo("7");
        assertThat(texts(target, "HVALS", "mw:locks"))
                .as(when)
                .containsExactly("9999999999999 s2 A");
        assertThat(keys(rig.source)).as(when).containsExactly("queues");
    }

    private static List<String> jids(List<String> jobs) {
        return jobs.stream().map(job -> job.replaceAll(".*\"jid\":\"(\\w+)\".*", "$1")).toList();
    }
}
