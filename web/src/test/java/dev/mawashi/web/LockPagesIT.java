package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Locks over HTTP: the page, the list and the act.
final class LockPagesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final String KEY = "abcdefghijklmn";

    private final RedisConnection redis = SERVER.connect();
    private WebRig rig;

    @BeforeEach
    void start() {
        SERVER.flushAll();
        rig = new WebRig(SERVER, Map.of());
    }

    @AfterEach
    void close() {
        rig.close();
        redis.close();
    }

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    private String get(String path) throws Exception {
        HttpResponse<String> answer = rig.get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private void lock(String key, String lock) {
        redis.call("HSET", "mw:locks", key, lock);
    }

    @Test
    void thePageListsLocksWithTheirJobs() throws Exception {
        assertThat(get("/locks")).contains("No job holds a lock");
        lock(KEY, "9999999999999 7a~1 <b>Job");
        lock("abcdefghijklm2", "9999999999999 7b SyncJob");

        assertThat(get("/locks"))
                .contains(
                        "<h1>Locks <small>2</small></h1>",
                        "<td>&lt;b&gt;Job</td>",
                        "<td class=\"code\">7a</td>",
                        "action=\"/api/v1/locks/abcdefghijklmn/free\"")
                .doesNotContain("<b>Job", "null");
        assertThat(get("/locks?class=SyncJob")).contains("7b").doesNotContain("7a<");
        assertThat(get("/locks?class=None")).contains("No lock was found here");
    }

    @Test
    void partsFollowNext() throws Exception {
        for (int i = 10; i < 70; i++) {
            lock("abcdefghijkl" + i, "9999999999999 7a" + i + " SyncJob");
        }
        String first = get("/api/v1/locks?class=SyncJob");
        assertThat(first.split("\"key\"", -1)).hasSize(51);
        assertThat(first)
                .contains("\"total\":60")
                .contains("\"next\":\"/api/v1/locks?class=SyncJob&cursor=0.abcdefghijkl59\"");
        String last = get("/api/v1/locks?class=SyncJob&cursor=0.abcdefghijkl59");
        assertThat(last.split("\"key\"", -1)).hasSize(11);
        assertThat(last).contains("\"next\":null");
        assertThat(get("/locks")).contains("href=\"/locks?cursor=0.abcdefghijkl59\"");
    }

    @Test
    void locksOfTheGemAreListedAndFreed() throws Exception {
        String digest = "uniquejobs:9e22";
        redis.call("HSET", digest + ":LOCKED", "7a", "1795845700.5");
        redis.call("ZADD", "uniquejobs:digests", "1795845700.5", digest);

        assertThat(get("/api/v1/locks"))
                .contains(
                        "\"total\":1,\"locks\":[{\"key\":\"uniquejobs:9e22\",\"class\":\"\",\"jid\":\"7a\","
                                + "\"until\":null,\"seconds_left\":0,\"gem\":\"sidekiq-unique-jobs\"}]");
        assertThat(get("/locks"))
                .contains("sidekiq-unique-jobs</small>", "/api/v1/locks/uniquejobs")
                .doesNotContain("null");
        try (Poster poster = new Poster(SERVER.url(), InstantSource.system(), Map.of())) {
            assertThat(poster.done("locks/uniquejobs%3A9e22/free", "{}"))
                    .contains("\"detail\":\"jid=7a\"", "\"touched\":1");
        }
        assertThat(get("/locks")).contains("No job holds a lock");
    }

    @Test
    void aLockIsFreedAndItsHolderNamed() throws Exception {
        lock(KEY, "9999999999999 7a SyncJob");
        String path = "locks/" + KEY + "/free";
        try (Poster poster = new Poster(SERVER.url(), InstantSource.system(), Map.of())) {
            assertThat(poster.done(path, "{}"))
                    .contains("\"act\":\"free\"", "\"detail\":\"SyncJob jid=7a\"", "\"touched\":1");
            assertThat(poster.json(path, "{}").statusCode()).isEqualTo(404);
        }
        assertThat(redis.call("HLEN", "mw:locks")).isEqualTo(0L);
        assertThat(get("/audit")).contains("Lock abcdefghijklmn is free: SyncJob jid=7a held it.");
    }
}
