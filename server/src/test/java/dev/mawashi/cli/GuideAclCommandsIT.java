package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.GuideAcl;
import dev.mawashi.redis.RedisConnection;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// The commands as exactly the user that the guide calls enough, on an empty script cache.
final class GuideAclCommandsIT {
    @RegisterExtension static final CommandRig RIG = new CommandRig();

    private static final Pattern ACT = Pattern.compile("\"id\":\"([0-9a-f]{16})\"");
    private static final String PROCESS = "web-1:7:0f3a";

    private final RedisConnection redis = RIG.redis();

    @BeforeEach
    void fill() {
        redis.call("ACL", "LOG", "RESET");
        redis.call("SCRIPT", "FLUSH");
        long now = Instant.now().getEpochSecond();
        for (String set : List.of("retry", "schedule", "dead")) {
            for (int i = 0; i < 9; i++) {
                redis.call("ZADD", set, now + "." + i, job(set.charAt(0) + "" + i));
            }
        }
        redis.call("SADD", "queues", "q");
        for (int i = 0; i < 9; i++) {
            redis.call("LPUSH", "queue:q", job("q" + i));
            redis.call(
                    "RPUSH",
                    "resque:failed",
                    "{\"payload\":{\"class\":\"A\",\"args\":[]},\"queue\":\"mail\","
                            + "\"exception\":\"E\",\"error\":\"no\",\"backtrace\":[]}");
        }
        redis.call("HSET", "mw:locks", "abcdefghijklmn", "9999999999999 j1 A");
        redis.call("ZADD", "mw:cron:files", "1", "digest");
        redis.call(
                "SET",
                "mw:cron:file:digest",
                "[{\"name\":\"nightly\",\"cron\":\"@daily\",\"zone\":\"UTC\","
                        + "\"class\":\"A\",\"queue\":\"other\",\"missed\":\"one\"}]");
        redis.call("SADD", "resque:queues", "mail");
        redis.call("RPUSH", "resque:queue:mail", "{\"class\":\"A\",\"args\":[]}");
        redis.call("SADD", "processes", PROCESS);
        redis.call("HSET", PROCESS, "info", "{\"queues\":[\"q\"],\"concurrency\":1}", "busy", "0");
        redis.call("HSET", PROCESS, "beat", "1795521599.5");
    }

    private static String job(String jid) {
        return "{\"class\":\"A\",\"queue\":\"q\",\"args\":[1],\"jid\":\"%s\",\"retry_count\":1}"
                .formatted(jid);
    }

    private String user() {
        return GuideAcl.makeOperator(redis, RIG.address()).url();
    }

    private void done(String line) {
        String[] words = (line + " --redis " + user()).split(" ");
        assertThat(RIG.run(words)).as(line + ": " + RIG.err()).isZero();
    }

    private void undone() {
        done("audit --json --limit 1");
        Matcher id = ACT.matcher(RIG.out().toString());
        assertThat(id.find()).isTrue();
        done("undo " + id.group(1));
    }

    @Test
    void nothingIsRefusedToTheCommandsThatList() {
        for (String line :
                List.of(
                        "push A 1",
                        "push A 1 --in 1h",
                        "stats",
                        "stats waits",
                        "stats redis",
                        "queues",
                        "queues --resque",
                        "queues jobs q --text 1",
                        "retries --text plain",
                        "retries --class A --after 1",
                        "scheduled",
                        "dead",
                        "failed --class A",
                        "processes",
                        "busy",
                        "classes",
                        "cron",
                        "cron show nightly",
                        "locks",
                        "audit")) {
            done(line);
        }
        RIG.run("classes", "A", "--redis", user());
        assertThat(GuideAcl.refused(redis)).isEmpty();
    }

    @Test
    void nothingIsRefusedToTheCommandsThatAct() {
        for (String line :
                List.of(
                        "retries retry r0",
                        "retries requeue r1 --to other",
                        "retries reschedule r2 --in 1h",
                        "retries bury r3",
                        "retries delete --text 1 --yes",
                        "retries clear --yes",
                        "scheduled run s0",
                        "scheduled clear --yes",
                        "dead retry d0",
                        "dead delete d1",
                        "dead clear --yes",
                        "queues move q other --all --yes",
                        "queues delete q q1 q2",
                        "queues clear q --yes")) {
            done(line);
            undone();
        }
        for (String line :
                List.of(
                        "queues pause q",
                        "queues unpause q",
                        "cron pause nightly",
                        "cron resume nightly",
                        "cron run nightly",
                        "cancel q3",
                        "failed requeue --class A",
                        "failed remove --all --yes",
                        "processes dump " + PROCESS,
                        "processes quiet " + PROCESS,
                        "processes stop " + PROCESS)) {
            done(line);
        }
        // There is none of ours.
        RIG.run("restart", "--all", "--redis", user());
        assertThat(RIG.err().toString()).contains("there is no process to restart");
        assertThat(GuideAcl.refused(redis)).isEmpty();
    }

    @Test
    void nothingIsRefusedToWhoeverFreesALock() {
        done("locks free abcdefghijklmn");
        assertThat(GuideAcl.refused(redis)).isEmpty();
    }

    @Test
    void nothingIsRefusedToAnErasure() {
        redis.call("SADD", "mw:queues", "q");
        redis.call("ZADD", "mw:{queue:q}:leases", "1", "dead:1:x#1");
        redis.call("HSET", "mw:{queue:q}:inflight:dead:1:x#1", "1", job("x1"));
        redis.call("ZADD", "resque:delayed_queue_schedule", "100", "100");
        redis.call("RPUSH", "resque:delayed:100", job("x2"));
        redis.call("SADD", "resque:timestamps:" + job("x2"), "delayed:100");
        done("dead delete d1");
        done("queues delete q q1");
        done("erase --text retry_count --yes");
        assertThat(RIG.out().toString()).contains("dead 8", "queue:q 9", "undo 2");
        assertThat(GuideAcl.refused(redis)).isEmpty();
    }
}
