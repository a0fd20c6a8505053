package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.pages.Links;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What can be done to queues and to the jobs that wait there, over HTTP and on a real Redis.
final class QueueActsIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    private final RedisConnection redis = SERVER.connect();
    private Poster poster;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        poster = new Poster(SERVER.url(), InstantSource.system(), Map.of());
    }

    @AfterEach
    void close() {
        poster.close();
        redis.close();
    }

    /// The first is the next to run.
    private void push(String queue, int count) {
        redis.call("SADD", "queues", queue);
        for (int i = 0; i < count; i++) {
            redis.call("LPUSH", "queue:" + queue, job(queue, i));
        }
    }

    private static String job(String queue, int i) {
        return "{\"class\":\"%s\", \"queue\":\"%s\",\"args\":[%d],\"jid\":\"j%d\"}"
                .formatted(i % 2 == 0 ? "Even" : "Odd", queue, i, i);
    }

    /// The jids, the next to run first.
    private List<String> jids(String queue) {
        List<String> jids = new ArrayList<>();
        for (Object job : (List<?>) list("LRANGE", "queue:" + queue, "0", "-1").reversed()) {
            Matcher jid = Pattern.compile("\"jid\":\"(.*?)\"").matcher(text(job));
            jids.add(jid.find() ? jid.group(1) : text(job));
        }
        return jids;
    }

    private List<?> list(String... command) {
        return (List<?>) Objects.requireNonNull(redis.call(command));
    }

    private static String text(Object reply) {
        return new String((byte[]) reply, StandardCharsets.UTF_8);
    }

    private static List<String> range(int from, int to, int step) {
        return IntStream.range(from, to)
                .filter(i -> (i - from) % step == 0)
                .mapToObj(i -> "j" + i)
                .toList();
    }

    @Test
    void aQueueIsPausedAndServedAgainAndEachPageHasTheOtherButton() {
        push("q", 1);
        String page = poster.page(poster.form("queues/q/pause", "view", "queues"));
        assertThat(page).contains("Queue q is paused.", "/api/v1/queues/q/unpause");
        assertThat(text(list("SMEMBERS", "paused").getFirst())).isEqualTo("q");

        assertThat(poster.done("queues/q/pause", "")).contains("was so already");
        assertThat(poster.page(poster.form("queues/q/unpause")))
                .contains("Queue q is served again.", "/api/v1/queues/q/pause");
        assertThat(list("SMEMBERS", "paused")).isEmpty();
    }

    @Test
    void theWayBackIsOneOfOurPagesWhateverTheFormSays() {
        push("q", 1);
        for (String view : List.of("//evil.example", "https://evil.example/", "..", "/%2e%2e/x")) {
            assertThat(
                            poster.form("queues/q/pause", "view", view)
                                    .headers()
                                    .firstValue("Location")
                                    .orElseThrow())
                    .startsWith("/queues/q?done=");
        }
        HttpResponse<String> odd =
                poster.form("queues/" + Links.segment("//evil\r\nX: y") + "/pause");
        if (odd.statusCode() == 303) {
            assertThat(odd.headers().firstValue("Location").orElseThrow())
                    .startsWith("/queues/%2F%2Fevil");
            assertThat(odd.headers().firstValue("X")).isEmpty();
        }
    }

    @Test
    void jobsMoveInTheirOrderAndSayWhereTheyAre() {
        push("q", 250);
        redis.call("LPUSH", "queue:other", job("other", 900));
        String done = poster.done("queues/q/move", "{\"to\":\"other\",\"of\":\"all\"}");

        assertThat(done).contains("\"touched\":250", "\"to\":\"other\"");
        List<String> expected = new ArrayList<>(List.of("j900"));
        expected.addAll(range(0, 250, 1));
        assertThat(jids("other")).isEqualTo(expected);
        assertThat(jids("q")).isEmpty();
        assertThat(text(list("LRANGE", "queue:other", "0", "0").getFirst()))
                .isEqualTo(job("other", 249));
        assertThat(list("SMEMBERS", "queues")).hasSize(2);

        assertThat(poster.undo(done)).contains("\"touched\":250,\"gone\":0");
        assertThat(jids("q")).isEqualTo(range(0, 250, 1));
        assertThat(text(list("LRANGE", "queue:q", "0", "0").getFirst())).isEqualTo(job("q", 249));
        assertThat(jids("other")).containsExactly("j900");
    }

    @Test
    void aFilterMovesOrDeletesWhatMatches() {
        push("q", 300);
        assertThat(poster.done("queues/q/move", "{\"to\":\"even\",\"class\":\"Even\"}"))
                .contains("\"touched\":150", "\"detail\":\"class Even\"");
        assertThat(jids("even")).isEqualTo(range(0, 300, 2));
        assertThat(jids("q")).isEqualTo(range(1, 300, 2));

        String done = poster.done("queues/q/delete-jobs", "{\"jid\":[\"j1\",\"j299\"]}");
        assertThat(done).contains("\"touched\":2");
        assertThat(jids("q")).isEqualTo(range(3, 299, 2));
        assertThat(poster.undo(done)).contains("\"touched\":2");
        assertThat(jids("q")).startsWith("j1", "j299", "j3").hasSize(150);
    }

    @Test
    void chosenRowsAreFoundThoughJobsBeforeThemHaveRun() {
        push("q", 200);
        redis.call("LPUSH", "queue:q", "no job");
        String page = poster.get("/queues/q?from=160").body();
        Matcher odd = Pattern.compile("value=\"(#[0-9a-f]{32})\"").matcher(page);
        assertThat(odd.find()).isTrue();
        redis.call("RPOP", "queue:q", "100");

        HttpResponse<String> done =
                poster.form(
                        "queues/q/delete-jobs",
                        "of",
                        "selected",
                        "key",
                        "j160",
                        "key",
                        odd.group(1),
                        "key",
                        "j5",
                        "from",
                        "160");
        assertThat(poster.page(done)).contains("2 jobs of queue q were deleted; 1 gone by then.");
        assertThat(jids("q")).hasSize(99).doesNotContain("j160", "no job");
    }

    @Test
    void aQueueIsClearedAndASmallOneCanBeHadBack() {
        push("q", 3);
        redis.call("LPUSH", "mw:{queue:q}:suspects", job("q", 7));
        String done = poster.done("queues/q/clear", "{}");
        assertThat(done).contains("\"touched\":4", "\"kept\":4");
        assertThat(list("KEYS", "queue*")).isEmpty();
        push("q", 1);

        assertThat(poster.undo(done)).contains("\"touched\":4");
        assertThat(jids("q"))
                .containsExactlyInAnyOrder("j0", "j0", "j1", "j2", "j7")
                .endsWith("j0");
        assertThat(poster.done("queues/nobody/clear", "{}")).contains("there is no such queue");
    }

    @Test
    void aLargeQueueIsClearedForGood() {
        push("q", 1_001);
        assertThat(poster.form("queues/q/clear").body())
                .contains("Delete all 1,001 jobs of queue q?", "cannot be had back");
        String done = poster.done("queues/q/clear", "{}");
        assertThat(done).contains("\"touched\":1001", "\"kept\":0");
        assertThat(poster.undo(done)).contains("nothing is left to undo");
    }

    @Test
    void jobsThatAreLargeAreNotKept() {
        String large = "{\"jid\":\"%d\",\"args\":[\"" + "x".repeat(3 << 20) + "\"]}";
        for (int i = 0; i < 4; i++) {
            redis.call("LPUSH", "queue:q", large.formatted(i));
        }
        String done = poster.done("queues/q/delete-jobs", "{\"of\":\"all\"}");
        assertThat(done).contains("\"touched\":4", "\"kept\":2");
        assertThat(poster.undo(done)).contains("\"touched\":2");
        push("p", 1);
        redis.call("LPUSH", "queue:p", large.formatted(1));
        redis.call("LPUSH", "queue:p", large.formatted(2));
        redis.call("LPUSH", "queue:p", large.formatted(3));
        assertThat(poster.done("queues/p/clear", "{}")).contains("\"kept\":0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"q", "", " "})
    void theSameQueueOrNoneIsNoPlaceToMoveTo(String to) {
        push("q", 1);
        HttpResponse<String> answer =
                poster.json("queues/q/move", "{\"of\":\"all\",\"to\":\"" + to + "\"}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(jids("q")).hasSize(1);
    }

    @Test
    void aKeyOfAWrongTypeIsToldAndNothingIsLost() {
        push("q", 2);
        redis.call("SET", "queue:other", "x");
        HttpResponse<String> answer =
                poster.json("queues/q/move", "{\"of\":\"all\",\"to\":\"other\"}");
        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.body())
                .contains("Redis refuses this, and a part may have been done: ", "queue:other")
                .contains("redis-cli TYPE", "WRONGTYPE");
        assertThat(jids("q")).containsExactly("j0", "j1");
        assertThat(poster.get("/audit").body())
                .contains("failed, and may have been done in part or in whole");
    }

    @Test
    void rawKeysAreNotReachedByAQueuesName() {
        redis.call("ZADD", "retry", "1", "{}");
        assertThat(poster.done("queues/retry/clear", "{}")).contains("no such queue");
        assertThat(list("KEYS", "*")).extracting(QueueActsIT::text).contains("retry");
    }
}
