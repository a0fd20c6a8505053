package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What can be done to retries, scheduled and dead jobs, over HTTP and on a real Redis.
final class SetActsIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    private final RedisConnection redis = SERVER.connect();
    private Poster poster;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        poster = new Poster(SERVER.url(), InstantSource.fixed(NOW), Map.of());
    }

    @AfterEach
    void close() {
        poster.close();
        redis.close();
    }

    private void put(String set, int count) {
        for (int i = 0; i < count; i++) {
            redis.call("ZADD", set, (100 + i) + ".25", job("j" + i, i % 2 == 0 ? "Even" : "Odd"));
        }
    }

    private static String job(String jid, String jobClass) {
        return "{\"class\":\"%s\",\"queue\":\"q\",\"args\":[],\"jid\":\"%s\",\"retry_count\":3}"
                .formatted(jobClass, jid);
    }

    private List<String> members(String set) {
        return texts(redis.call("ZRANGE", set, "0", "-1"));
    }

    private List<String> queue(String queue) {
        return texts(redis.call("LRANGE", "queue:" + queue, "0", "-1"));
    }

    private static List<String> texts(@Nullable Object reply) {
        return ((List<?>) Objects.requireNonNull(reply))
                .stream().map(one -> new String((byte[]) one, StandardCharsets.UTF_8)).toList();
    }

    @Test
    void aChosenJobIsRetriedAndTheTryDoesNotCount() {
        put("retry", 3);
        HttpResponse<String> answer = poster.json("retries/retry", "{\"key\":\"101.25-j1\"}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .contains("\"act\":\"retry\"", "\"touched\":1,\"gone\":0", "\"state\":\"done\"");
        assertThat(queue("q")).singleElement().asString().contains("j1", "\"retry_count\":2");
        assertThat(members("retry")).hasSize(2);
    }

    @Test
    void aBrowserIsSentBackToItsListAndToldThereWhatWasDone() {
        put("dead", 60);
        HttpResponse<String> answer =
                poster.form(
                        "dead/delete",
                        "of",
                        "selected",
                        "key",
                        "100.25-j0",
                        "key",
                        "102.25-j2",
                        "class",
                        "Even",
                        "from",
                        "50",
                        "error",
                        "");

        assertThat(answer.headers().firstValue("Location").orElseThrow())
                .startsWith("/dead?class=Even&from=50&done=");
        assertThat(poster.page(answer)).contains("2 jobs of the dead set were deleted.", "Undo");
        assertThat(members("dead")).hasSize(58);
    }

    @Test
    void eachActOfASetDoesWhatItSays() {
        put("schedule", 6);
        assertThat(poster.done("scheduled/run", "{\"key\":\"100.25-j0\"}"))
                .contains("\"touched\":1");
        assertThat(queue("q")).singleElement().asString().contains("\"retry_count\":3");
        assertThat(poster.done("scheduled/requeue", "{\"key\":\"101.25-j1\",\"to\":\"other\"}"))
                .contains("\"touched\":1", "\"to\":\"other\"");
        assertThat(queue("other")).singleElement().asString().contains("\"queue\":\"other\"");
        assertThat(poster.done("scheduled/reschedule", "{\"key\":\"102.25-j2\",\"in\":\"1h\"}"))
                .contains("\"touched\":1");
        assertThat(redis.call("ZSCORE", "schedule", job("j2", "Even")))
                .isEqualTo(("" + (NOW.getEpochSecond() + 3_600)).getBytes(StandardCharsets.UTF_8));
        assertThat(poster.done("scheduled/bury", "{\"key\":\"103.25-j3\"}"))
                .contains("\"touched\":1");
        assertThat(members("dead")).containsExactly(job("j3", "Odd"));
        assertThat(poster.done("scheduled/delete", "{\"key\":[\"104.25-j4\"]}"))
                .contains("\"touched\":1");
        assertThat(members("schedule")).containsExactly(job("j5", "Odd"), job("j2", "Even"));
    }

    @Test
    void aFilterAndAllReachEveryEntry() {
        put("dead", 2_500);
        assertThat(poster.done("dead/delete", "{\"class\":\"Odd\"}"))
                .contains("\"touched\":1250", "\"detail\":\"class Odd\"", "\"kept\":1000");
        assertThat(poster.done("dead/retry", "{\"of\":\"all\"}")).contains("\"touched\":1250");
        assertThat(members("dead")).isEmpty();
        assertThat(queue("q")).hasSize(1_250);
    }

    @Test
    void aSecondSubmitAndAnEntryThatRanAreToldAsGone() {
        put("retry", 2);
        String keys = "{\"key\":[\"100.25-j0\",\"999-nobody\"]}";
        assertThat(poster.done("retries/delete", keys)).contains("\"touched\":1,\"gone\":1");
        String again = poster.done("retries/delete", keys);
        assertThat(again).contains("\"touched\":0,\"gone\":2");

        String page =
                poster.page(poster.form("retries/retry", "of", "selected", "key", "100.25-j0"));
        assertThat(page).contains("No job of the retries was retried; 1 gone by then.");
    }

    @Test
    void whatWasDeletedBuriedRescheduledOrRetriedCanBeHadBack() {
        put("retry", 5);
        List<String> before = texts(redis.call("ZRANGE", "retry", "0", "-1", "WITHSCORES"));
        String all = "{\"key\":[\"100.25-j0\",\"101.25-j1\",\"102.25-j2\"]}";
        String later = all.replace("}", ",\"in\":\"1d\"}");
        for (String[] act :
                List.of(
                        new String[] {"delete", all},
                        new String[] {"bury", all},
                        new String[] {"reschedule", later},
                        new String[] {"requeue", all.replace("}", ",\"to\":\"x\"}")},
                        new String[] {"retry", all})) {
            String done = poster.done("retries/" + act[0], act[1]);
            assertThat(done).as(act[0]).contains("\"touched\":3", "\"kept\":3");
            String undone = poster.undo(done);
            assertThat(undone).as(act[0]).contains("\"touched\":3,\"gone\":0");
            assertThat(texts(redis.call("ZRANGE", "retry", "0", "-1", "WITHSCORES")))
                    .as(act[0])
                    .isEqualTo(before);
            assertThat(members("dead")).isEmpty();
            assertThat(queue("q")).isEmpty();
            assertThat(poster.undo(done)).contains("\"touched\":0", "nothing is left to undo");
        }
        assertThat(texts(redis.call("KEYS", "mw:*"))).containsExactly("mw:audit");
    }

    @Test
    void whatHasBegunMeanwhileIsNotUndone() {
        put("retry", 2);
        String done = poster.done("retries/retry", "{\"key\":[\"100.25-j0\",\"101.25-j1\"]}");
        redis.call("RPOP", "queue:q");

        assertThat(poster.undo(done)).contains("\"touched\":1,\"gone\":1");
        assertThat(members("retry")).hasSize(1);
        assertThat(queue("q")).isEmpty();
    }

    @Test
    void aSmallSetThatWasClearedCanBeHadBackAndALargeOneCannot() {
        put("dead", 1_000);
        List<String> before = members("dead");
        String done = poster.done("dead/clear", "{}");
        assertThat(done).contains("\"touched\":1000", "\"kept\":1000");
        assertThat(members("dead")).isEmpty();
        redis.call("ZADD", "dead", "7", "{}");
        assertThat(poster.undo(done)).contains("\"touched\":1000");
        assertThat(members("dead")).hasSize(1_001).containsAll(before);

        String large = poster.done("dead/clear", "{}");
        assertThat(large).contains("\"touched\":1001", "\"kept\":0");
        assertThat(texts(redis.call("KEYS", "mw:undo:*"))).isEmpty();
    }

    @Test
    void ofTwoWhoActOrUndoAtOnceEachJobIsTouchedByOne() {
        put("dead", 400);
        String keys =
                IntStream.range(0, 400)
                        .mapToObj(i -> "\"" + (100 + i) + ".25-j" + i + "\"")
                        .collect(Collectors.joining(",", "{\"key\":[", "]}"));
        List<String> deleted = atOnce(() -> poster.done("dead/delete", keys));
        assertThat(touched(deleted)).isEqualTo(400);
        assertThat(members("dead")).isEmpty();

        String most =
                deleted.stream().max(Comparator.comparingInt(SetActsIT::touched)).orElseThrow();
        assertThat(touched(atOnce(() -> poster.undo(most)))).isEqualTo(touched(most));
        assertThat(members("dead")).hasSize(touched(most));
    }

    private static List<String> atOnce(Supplier<String> act) {
        CompletableFuture<String> other = CompletableFuture.supplyAsync(act);
        return List.of(act.get(), other.join());
    }

    private static int touched(List<String> answers) {
        return answers.stream().mapToInt(SetActsIT::touched).sum();
    }

    private static int touched(String answer) {
        return Integer.parseInt(answer.replaceFirst("(?s).*\"touched\":(\\d+).*", "$1"));
    }

    @Test
    void whatIsKeptHasAnEnd() {
        put("dead", 2);
        String done = poster.done("dead/delete", "{\"key\":\"100.25-j0\"}");
        assertThat((Long) redis.call("TTL", "mw:undo:" + Poster.id(done))).isBetween(500L, 600L);
    }

    @Test
    void anActThatNeedsCareIsAskedAboutFirst() {
        put("dead", 3);
        HttpResponse<String> asked =
                poster.form("dead/delete", "of", "matching", "class", "Even", "from", "0");
        assertThat(asked.statusCode()).isEqualTo(200);
        assertThat(asked.body())
                .contains(
                        "Delete all jobs that match (class Even) of the dead set?",
                        "name=\"sure\" value=\"yes\"",
                        "action=\"/api/v1/dead/delete\"",
                        "href=\"/dead?class=Even&amp;from=0\"");
        assertThat(members("dead")).hasSize(3);

        assertThat(
                        poster.page(
                                poster.form(
                                        "dead/delete",
                                        "of",
                                        "matching",
                                        "class",
                                        "Even",
                                        "from",
                                        "0",
                                        "sure",
                                        "yes")))
                .contains("2 jobs of the dead set were deleted.");
        assertThat(poster.form("dead/clear").body()).contains("Delete all 1 job of the dead set?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dead/delete | {} | (class, error, text, jid, tag, older, newer, queue, after, before), or of: all",
                "dead/delete | {\"key\":\"1-a\",\"class\":\"A\"} | which jobs?",
                "dead/delete | {\"key\":\"x\"} | a key is a score and an id",
                "dead/delete | {\"nosuch\":1,\"of\":\"all\"} | there is no field \"nosuch\" here",
                "dead/delete | {\"of\":\"everything\"} | of is selected, matching or all",
                "dead/delete | {\"of\":\"matching\"} | there is no filter",
                "dead/delete | {\"class\":{}} | has no value that is used",
                "dead/delete | {\"class\":[\"A\",\"B\"]} | is given more than once",
                "dead/delete | [1] | no JSON object",
                "dead/delete | {\"a\" | no JSON object",
                "retries/reschedule | {\"key\":\"1-a\"} | when?",
                "retries/reschedule | {\"key\":\"1-a\",\"in\":\"1h\",\"at\":\"5\"} | when?",
                "retries/reschedule | {\"key\":\"1-a\",\"in\":\"soon\"} | soon is not a time",
                "retries/reschedule | {\"key\":\"1-a\",\"at\":\"99999999999\"} | hundred years",
                "retries/requeue | {\"key\":\"1-a\"} | to which queue?",
                "retries/bury | {\"key\":\"1-a\",\"dead_max\":0} | is a number from 1",
            })
    void whatMakesNoSenseIsRefusedWithTheReason(String path, String body, String reason) {
        put("dead", 1);
        HttpResponse<String> answer = poster.json(path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).startsWith("{\"error\":").contains(reason.replace("\"", "\\\""));
        assertThat(members("dead")).hasSize(1);
    }

    @Test
    void moreKeysThanAPageHasAreRefused() {
        String keys = "\"1-a\",".repeat(501);
        assertThat(poster.done("dead/delete", "{\"key\":[" + keys + "\"1-b\"]}"))
                .contains("more than 500 values");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "multipart/form-data; boundary=x", "application/xml"})
    void otherContentIsNotRead(String type) {
        put("dead", 1);
        HttpResponse<String> answer = poster.body("dead/clear", type, "{\"of\":\"all\"}");
        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(members("dead")).hasSize(1);
    }

    @Test
    void textThatIsNoIdOfAChangeIsNeverShown() {
        for (String id : List.of("<b>x</b>", "0123456789abcdef", "x".repeat(5_000))) {
            HttpResponse<String> page =
                    poster.get("/dead?done=" + dev.mawashi.pages.Links.segment(id));
            assertThat(page.body()).doesNotContain("class=\"flash", id);
        }
    }
}
