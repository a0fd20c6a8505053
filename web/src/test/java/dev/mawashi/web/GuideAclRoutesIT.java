package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.http.Route;
import dev.mawashi.redis.GuideAcl;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// All pages and acts as exactly the user that the guide calls enough, on an empty script cache.
final class GuideAclRoutesIT {
    /// The name of everything that there is, with which processes of the guide's host begin.
    private static final String TEXT = "web-1:7";

    @Test
    void nothingIsRefusedToPagesAndActs() throws Exception {
        try (RedisServerForTests server = new RedisServerForTests();
                RedisConnection admin = server.connect()) {
            new FullRedis(admin, TEXT).fill();
            RedisAddress user = GuideAcl.makeOperator(admin, server.address());
            everyPage(user.url());
            try (Poster poster = new Poster(user.url(), InstantSource.system(), Map.of())) {
                for (String set : List.of("retry", "schedule", "dead")) {
                    actsOnSet(admin, poster, set);
                }
                actsOnQueues(admin, poster);
            }

            assertThat(GuideAcl.refused(admin)).isEmpty();
        }
    }

    private static void everyPage(String redis) throws Exception {
        WebServer web = RouteCalls.serve(redis, Map.of());
        try (RouteCalls calls = new RouteCalls(web, TEXT)) {
            for (Route route : web.routes()) {
                if (route.method().equals("GET")) {
                    for (String query : List.of("", "?text=plain&period=1h", "?class=A")) {
                        assertThat(calls.call(route, query).status())
                                .as(route.template())
                                .isIn(200, 303, 400, 404, 502, 503);
                    }
                }
            }
        } finally {
            web.stop(Duration.ZERO);
        }
    }

    private static void actsOnSet(RedisConnection admin, Poster poster, String set) {
        String path = set.equals("schedule") ? "scheduled" : set.equals("retry") ? "retries" : set;
        long now = Instant.now().getEpochSecond();
        for (int i = 0; i < 8; i++) {
            admin.call("ZADD", set, now + "." + i, WebRig.job("j" + i, ",\"retry_count\":3"));
        }
        String run = set.equals("schedule") ? "run" : "retry";
        thereAndBack(poster, path + "/" + run, "{\"jid\":\"j0\"}");
        thereAndBack(poster, path + "/requeue", "{\"jid\":\"j1\",\"to\":\"other\"}");
        if (!set.equals("dead")) {
            thereAndBack(poster, path + "/reschedule", "{\"jid\":\"j2\",\"in\":\"1h\"}");
            thereAndBack(poster, path + "/bury", "{\"jid\":\"j3\"}");
        }
        thereAndBack(poster, path + "/delete", "{\"text\":\"v\"}");
        thereAndBack(poster, path + "/clear", "{}");
    }

    private static void actsOnQueues(RedisConnection admin, Poster poster) {
        admin.call("SADD", "queues", "q");
        for (int i = 0; i < 8; i++) {
            admin.call("LPUSH", "queue:q", WebRig.job("q" + i, ""));
        }
        String later = ",\"at\":" + (Instant.now().getEpochSecond() + 60) + "}";
        String jobs = "[{\"class\":\"A\",\"queue\":\"new\"},{\"class\":\"A\"" + later + "]";
        assertThat(poster.json("jobs", jobs).statusCode()).isEqualTo(200);
        poster.done("queues/q/pause", "");
        poster.done("queues/q/unpause", "");
        String schedule =
                "[{\"name\":\"nightly\",\"cron\":\"0 3 * * *\",\"zone\":\"UTC\",\"class\":\"A\",\"queue\":\"other\",\"missed\":\"one\"}]";
        admin.call("ZADD", "mw:cron:files", "1", "digest");
        admin.call("SET", "mw:cron:file:digest", schedule);
        poster.done("cron/nightly/pause", "");
        poster.done("cron/nightly/resume", "");
        poster.done("cron/nightly/run", "");
        admin.call("HSET", "mw:locks", "abcdefghijklmn", "9999999999999 q1 A");
        poster.done("locks/abcdefghijklmn/free", "");
        thereAndBack(poster, "queues/q/move", "{\"to\":\"other\",\"of\":\"all\"}");
        thereAndBack(poster, "queues/q/delete-jobs", "{\"jid\":[\"q1\",\"q2\"]}");
        thereAndBack(poster, "queues/q/clear", "{}");
        assertThat(admin.call("LLEN", "queue:q")).isEqualTo(8L);
        poster.done("busy/cancel", "{\"jid\":\"q3\"}");
        poster.done("failed/requeue", "{\"class\":\"" + TEXT + "\"}");
        poster.done("failed/remove", "{\"class\":\"" + TEXT + "\"}");
        poster.done("failed/clear", "{}");
        poster.done("processes/quiet", "{}");
        poster.json("processes/" + TEXT + "/stop", "{}");
    }

    private static void thereAndBack(Poster poster, String path, String body) {
        String act = poster.done(path, body);
        assertThat(act).contains("\"state\":\"done\"").doesNotContain("\"touched\":0");
        assertThat(poster.undo(act))
                .as(act)
                .contains("\"state\":\"done\"")
                .doesNotContain("\"touched\":0");
    }
}
