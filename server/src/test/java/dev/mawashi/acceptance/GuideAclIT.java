package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.GuideAcl;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A fleet as exactly the user that the guide calls enough. Redis notes all that it refuses, so a
/// command or a key that the guide lacks is found by name.
///
/// Long: a fleet through a restart and a failover; the other tests of the name have each script,
/// page and command.
@Tag("long")
final class GuideAclIT {
    private static final String APP = Programs.SCRIPTS.resolve("resque_app.rb").toString();
    private static final Pattern URL = Pattern.compile("probes and metrics at (http://\\S+)");
    private static final int SLOTS = 4;

    /// More than a server parks at.
    private static final int QUEUES = 40;

    @TempDir Path folder;

    private static Child serve(Workplace place, RedisAddress redis, String host) {
        List<String> words = new ArrayList<>(List.of("run", "-r", APP, "--lease", "2"));
        words.addAll(List.of("--sweep", "0.5", "-c", "" + SLOTS, "--health", "0"));
        words.addAll(List.of("--resque", "*", "-q", "default", "-q", "low"));
        for (int i = 0; i < QUEUES; i++) {
            words.addAll(List.of("-q", "q" + i));
        }
        return place.mawashi(
                Map.of("REDIS_URL", redis.url(), "DYNO", host), words.toArray(String[]::new));
    }

    private static byte[] job(String jobClass, String jid, String fields) {
        return ("{\"class\":\"" + jobClass + "\",\"jid\":\"" + jid + "\"," + fields + "}")
                .getBytes(UTF_8);
    }

    @Test
    void nothingIsRefusedToAFleetWhateverHappensToIt() throws IOException {
        Path users = Files.createFile(folder.resolve("users.acl"));
        try (Workplace place = new Workplace(folder, "--aclfile", users.toString());
                RedisConnection admin =
                        new RedisConnection(
                                RedisAddress.parse(place.redisUrl()),
                                "admin",
                                Duration.ofSeconds(30))) {
            RedisAddress redis = GuideAcl.makeServer(admin, RedisAddress.parse(place.redisUrl()));
            admin.call("ACL", "SAVE");
            Child first = serve(place, redis, "web-1");
            Child second = serve(place, redis, "web-2");
            first.awaitLog("working on");
            second.awaitLog("working on");
            admin.call("SCRIPT", "FLUSH");
            workOfEveryKind(place, admin);
            aDeath(place, first);
            aScrape(place, second);
            assertThat(GuideAcl.refused(admin)).isEmpty();

            admin.call("SAVE");
            admin.close();
            place.killRedis();
            place.startRedis();
            place.pushJobs(20, "after", "PlainJob", "[]");
            place.await("all ran", () -> ended(place, "after") == 20);
            second.signal("TERM");
            assertThat(second.awaitExit()).as(second::log).isZero();
            assertThat(GuideAcl.refused(admin)).isEmpty();
            assertThat(first.log() + second.log()).doesNotContain("NOPERM", "refuses its user");
        }
    }

    private static long ended(Workplace place, String prefix) {
        return place.ledger().byJid("end").keySet().stream()
                .filter(jid -> jid.startsWith(prefix))
                .count();
    }

    /// Done, retried, buried, due, of a queue that is watched, run alone, Resque's, and paused.
    private static void workOfEveryKind(Workplace place, RedisConnection admin) {
        place.pushJobs(20, "plain", "PlainJob", "[]");
        place.push(
                "low",
                List.of(
                        job("PickyJob", "buried", "\"args\":[],\"retry\":0"),
                        job("FlakyJob", "retried", "\"args\":[1],\"retry\":5")));
        place.push("q" + (QUEUES - 1), List.of(job("PlainJob", "watched", "\"args\":[]")));
        byte[] due = job("PlainJob", "due", "\"args\":[],\"queue\":\"default\"");
        admin.call("ZADD", "schedule", "1", new String(due, UTF_8));
        byte[] alone = job("PlainJob", "alone", "\"args\":[]");
        admin.call("RPUSH", "mw:{queue:default}:suspects", new String(alone, UTF_8));
        admin.call("SADD", "resque:queues", "mail");
        for (String args : List.of("\"resque\"", "\"failed\",\"raise\"")) {
            admin.call(
                    "RPUSH",
                    "resque:queue:mail",
                    "{\"class\":\"NotedJob\",\"args\":[" + args + "]}");
        }
        admin.call("SADD", "paused", "q1");
        for (String jid : List.of("watched", "due", "alone", "resque")) {
            place.await(jid + " ran", () -> ended(place, jid) == 1);
        }
        place.await("plain ones ran", () -> ended(place, "plain") == 20);
        place.await("one is buried", () -> place.number("ZCARD", "dead") == 1);
        place.await("one is retried", () -> place.number("ZCARD", "retry") == 1);
        place.await("one is in Resque's list", () -> place.number("LLEN", "resque:failed") == 1);
    }

    private static void aDeath(Workplace place, Child victim) {
        place.pushJobs(2 * SLOTS, "held", "GateJob", "[\"gate\"]");
        place.await("all slots run", () -> place.ledger().count("start", "GateJob") == 2 * SLOTS);
        victim.kill();
        place.open("gate");
        place.await("they are recovered", () -> ended(place, "held") == 2 * SLOTS);
    }

    private static void aScrape(Workplace place, Child server) {
        Matcher address = URL.matcher(server.log());
        assertThat(address.find()).as(server::log).isTrue();
        try (Caller caller = new Caller()) {
            place.await(
                    "metrics tell",
                    () -> caller.tells(address.group(1) + "/metrics", 200, "mawashi_runs_total"));
        }
    }
}
