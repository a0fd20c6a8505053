package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.FaultProxy;
import dev.mawashi.redis.RedisAddress;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs that a program enqueues over HTTP are run by real servers, Mawashi's and Sidekiq's, as
/// those of an app.
final class EnqueueOverHttpIT {
    private static final String SECRET = "enqueuer-secret-0001";
    private static final Map<String, String> SECRETS = Map.of("MAWASHI_WEB_ENQUEUER", SECRET);
    private static final Pattern URL = Pattern.compile("(?:metrics|page is) at (http://[^\\s,]+)");
    private static final Pattern JID = Pattern.compile("[0-9a-f]{24}");

    /// A plain one, one for in a moment, one that fails and is not retried, one for later.
    private static final String JOBS =
            """
            [{"class":"PlainJob","args":[1,"é"],"tags":["over-http"]},
             {"class":"DueJob","args":[%1$s],"at":%1$s},
             {"class":"ExactJob","args":["wrong"],"retry":false},
             {"class":"PlainJob","at":%2$s}]
            """;

    private static final String ONE = "{\"class\":\"PlainJob\"}";

    /// So many a server lends to requests, one after the other.
    private static final int CONNECTIONS = 4;

    @TempDir Path folder;

    private final Caller caller = new Caller();

    @AfterEach
    void close() {
        caller.close();
    }

    /// The jids, in the order of the jobs.
    private List<String> enqueue(Child server) {
        String url = url(server);
        long now = System.currentTimeMillis() / 1_000;
        String jobs = JOBS.formatted((now + 3) + ".5", now + 3_600);
        HttpResponse<String> first = post(url, "four", jobs);
        HttpResponse<String> again = post(url, "four", jobs);

        List<String> jids = JID.matcher(first.body()).results().map(one -> one.group()).toList();
        assertThat(jids).as(first.body()).hasSize(4);
        assertThat(again.body()).contains(jids).contains("\"replayed\":true");
        return jids;
    }

    private static String url(Child server) {
        return URL.matcher(server.awaitLog(" at http://").log())
                .results()
                .map(found -> found.group(1))
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private HttpResponse<String> post(String url, String key, String body) {
        return caller.post(
                url + "/api/v1/jobs",
                body,
                "Authorization",
                "Bearer " + SECRET,
                "Content-Type",
                "application/json",
                "Idempotency-Key",
                key);
    }

    private static void checkRuns(Workplace place, List<String> jids) {
        Ledger ledger = place.ledger();
        place.await(
                "they run",
                () ->
                        ledger.byJid("end").containsKey(jids.get(0))
                                && ledger.byJid("end").containsKey(jids.get(1))
                                && ledger.byJid("error").containsKey(jids.get(2)));
        place.await("all were claimed", () -> place.number("LLEN", "queue:default") == 0);
        assertThat(ledger.byJid("start")).containsOnlyKeys(jids.subList(0, 3));
        assertThat(ledger.byJid("start").values()).containsOnly(1L);
        assertThat(place.number("ZCARD", "retry") + place.number("ZCARD", "dead")).isZero();
        assertThat(place.strings("ZRANGE", "schedule", "0", "-1"))
                .singleElement()
                .satisfies(left -> assertThat(new String(left, UTF_8)).contains(jids.get(3)));
    }

    @Test
    void mawashiRunsThem() {
        try (Workplace place = new Workplace(folder)) {
            Child server = place.runOnMri(SECRETS, "-c", "2", "--web", "0");
            checkRuns(place, enqueue(server));
        }
    }

    /// It has sent the jobs to Redis and got no answer when it is killed. Long: two servers, one of
    /// them killed; `mawashiRunsThem` repeats a request too.
    @Tag("long")
    @Test
    void aServerThatIsKilledBeforeItAnswersIsFollowedByOneThatEnqueuesNothingMore() {
        try (Workplace place = new Workplace(folder);
                FaultProxy proxy = new FaultProxy(RedisAddress.parse(place.redisUrl()))) {
            Map<String, String> behind = new HashMap<>(SECRETS);
            behind.put("REDIS_URL", proxy.address().url());
            Child first = place.mawashi(behind, "web", "0");
            String url = url(first);
            for (int i = 0; i < CONNECTIONS; i++) {
                assertThat(post(url, "warm-" + i, ONE).statusCode()).isEqualTo(200);
            }
            proxy.holdReplies();
            CompletableFuture<?> answer =
                    CompletableFuture.runAsync(() -> post(url, "killed", ONE));
            place.await("it is enqueued", () -> size(place) == CONNECTIONS + 1);
            first.signal("KILL");
            assertThat(answer).failsWithin(Child.LIMIT);

            Child second = place.mawashi(SECRETS, "web", "0");
            assertThat(post(url(second), "killed", ONE).body()).contains("\"replayed\":true");
            assertThat(size(place)).isEqualTo(CONNECTIONS + 1);
        }
    }

    private static long size(Workplace place) {
        return place.number("LLEN", "queue:default");
    }

    /// Needs the sidekiq gem of this machine.
    @Tag("stack")
    @Test
    void sidekiqRunsThem() {
        try (Workplace place = new Workplace(folder)) {
            List<String> jids = enqueue(place.mawashi(SECRETS, "web", "0"));
            assertThat(size(place) + place.number("ZCARD", "schedule")).isEqualTo(4);
            assertThat(place.lines("figures.rb")).contains("scheduled 1 x PlainJob [] nil");
            place.sidekiq("-c", "2");
            checkRuns(place, jids);
        }
    }
}
