package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import dev.mawashi.http.Access;
import dev.mawashi.pages.Links;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.wire.ResqueKeys;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the pages say, over HTTP and on a real Redis.
final class PagesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    private final RedisConnection redis = SERVER.connect();
    private final HttpClient client = HttpClient.newHttpClient();
    private WebServer web;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        web = serve(Map.of(), SERVER.url());
    }

    private static WebServer serve(Map<String, String> environment, String url) {
        WebServer server =
                WebServer.besideFleet(
                        new WebSettings(
                                Access.of("0", environment),
                                RedisAddress.parse(url),
                                ResqueKeys.DEFAULT,
                                "9.9.9"),
                        InstantSource.fixed(NOW));
        server.start();
        return server;
    }

    @AfterEach
    void close() {
        web.stop(Duration.ZERO);
        client.close();
        redis.close();
    }

    private HttpResponse<String> get(WebServer server, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private String page(String path) throws Exception {
        HttpResponse<String> answer = get(web, path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static String job(String jid, String fields) {
        return "{\"class\":\"AJob\",\"queue\":\"q\",\"args\":[1,{\"k\":\"v\"}],\"jid\":\"%s\"%s}"
                .formatted(jid, fields);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/queues",
                "/queues/q",
                "/busy",
                "/retries",
                "/scheduled",
                "/dead",
                "/cron",
                "/locks",
                "/classes",
                "/classes/AJob",
                "/processes",
                "/failed",
                "/redis",
                "/jvm"
            })
    void anEmptyRedisHasAllPages(String path) throws Exception {
        assertThat(page(path)).contains("<main", "Mawashi 9.9.9").doesNotContain("null");
    }

    @Test
    void aLongPayloadIsCutAndItsAddressHasAllOfIt() throws Exception {
        String longArg = ",\"more\":\"" + "x".repeat(400_000) + "\"";
        redis.call("ZADD", "dead", "5", job("long", longArg));

        assertThat(page("/dead/5-long"))
                .hasSizeBetween(100_000, 150_000)
                .contains("<a href=\"/dead/5-long/payload\">All of it</a>");
        assertThat(page("/api/v1/dead/5-long")).hasSizeGreaterThan(400_000);
        assertThat(page("/dead/5-long/payload")).isEqualTo(job("long", longArg));
    }

    @Test
    void aPayloadOfMegabytesIsToldOfAndItsAddressHasAllOfIt() throws Exception {
        String huge = job("huge", "").replace("[1", "[\"" + "x".repeat(3 << 20) + "\"");
        redis.call("ZADD", "dead", "5", huge);

        assertThat(page("/dead/5-huge")).hasSizeBetween(100_000, 350_000).contains("AJob");
        for (String path : List.of("/api/v1/dead/5-huge", "/api/v1/dead?text=xxx")) {
            assertThat(page(path))
                    .hasSizeLessThan(2_000)
                    .contains("\"jid\":\"huge\"", "\"args\":null,\"bytes\":" + huge.length());
        }
        assertThat(page("/dead/5-huge/payload")).isEqualTo(huge);
    }

    @Test
    void theOverviewHasTheFiguresAndTheQueuesThatWaitLongest() throws Exception {
        redis.call("SET", "stat:processed", "1234567");
        redis.call("SADD", "queues", "slow", "quick");
        long seconds = NOW.getEpochSecond();
        redis.call("LPUSH", "queue:slow", job("a", ",\"enqueued_at\":" + (seconds - 90) + ".0"));
        redis.call("LPUSH", "queue:quick", job("b", ",\"enqueued_at\":" + (seconds - 5) + ".0"));
        redis.call("SADD", "paused", "quick");

        String page = page("/");
        redis.call("HSET", "mw:waits|261124|11:59", "0", "90", "4", "9", "25", "1");
        assertThat(page("/")).contains("p50 <b>&lt; 20 ms</b> p95 <b>&lt; 100 ms</b> p99 <b>&lt;");
        assertThat(page).doesNotContain("Waited");
        assertThat(page).contains(">1,234,567</b>", "1 min 30 s", "5.0 s", "paused", "grade D0");
        assertThat(page.indexOf("/queues/slow")).isLessThan(page.indexOf("/queues/quick"));
    }

    @Test
    void classesShowWhatTheyRanAndHowLongItTook() throws Exception {
        redis.call("HSET", "j|261124|11:59", "Often|p", "1000", "Often|ms", "5000");
        redis.call("HSET", "j|261124|11:59", "Bad|p", "40", "Bad|f", "10", "Bad|ms", "90000");
        redis.call("HSET", "mw:runs|261124|11:59", "Bad|mri", "30", "Often|fork", "1000");
        redis.call("BITFIELD", "h|Bad-24-11:59", "SET", "u16", "#3", "29", "SET", "u16", "#9", "1");

        String page = page("/classes");
        assertThat(page)
                .contains("href=\"/classes/Bad?period=1h\"", "1,000", "25 %", "&lt; 65 ms")
                .contains("&lt; 750 ms", "<td>mri 30, elsewhere 10</td>", "<td>fork 1,000</td>");
        assertThat(page.indexOf("/classes/Often")).isLessThan(page.indexOf("/classes/Bad"));
        String byTime = page("/classes?sort=time&period=15m");
        assertThat(byTime.indexOf("/classes/Bad")).isLessThan(byTime.indexOf("/classes/Often"));
        assertThat(page("/classes/Bad?period=8h"))
                .contains("&lt; 65 ms", "href=\"/retries?class=Bad\"", "25 %", "3.0 s on average")
                .contains("<th>mri</th><td class=\"n\">30</td>", "<th>elsewhere</th>");
        assertThat(page("/classes?period=9h&sort=x")).contains("1,000");
    }

    @Test
    void aSetIsPagedAndEachEntryHasAPage() throws Exception {
        for (int i = 0; i < 120; i++) {
            redis.call("ZADD", "retry", NOW.getEpochSecond() + i + ".5", job("j" + i, ""));
        }
        String first = page("/retries");
        assertThat(first).contains("120", "in 0.5 s", "href=\"/retries?from=50\"");
        assertThat(page("/retries?from=100"))
                .contains("-j119\"", "href=\"/retries?from=50\" rel=\"prev\"")
                .doesNotContain("rel=\"next\"");

        Matcher link = Pattern.compile("href=\"(/retries/[^\"]+)\"").matcher(first);
        assertThat(link.find()).isTrue();
        assertThat(page(link.group(1))).contains("j0", "AJob", "<li><pre>{\"k\":\"v\"}</pre></li>");
        redis.call("DEL", "retry");
        HttpResponse<String> gone = get(web, link.group(1));
        assertThat(gone.statusCode()).isEqualTo(404);
        assertThat(gone.body()).contains("The job is gone");
    }

    @Test
    void aFilterSearchesAPartAtATime() throws Exception {
        for (int i = 0; i < 300; i++) {
            String error = i % 100 == 0 ? ",\"error_class\":\"Odd&Error\"" : "";
            redis.call("ZADD", "dead", "" + (1_000 + i), job("j" + i, error));
            redis.call("RPUSH", "queue:q", job("j" + i, ""));
        }
        assertThat(page("/dead?error=Odd%26Err"))
                .contains("-j0\"", "-j100\"", "-j200\"", "3 found, 300 of 300 looked at, 100 %")
                .contains("value=\"Odd&amp;Err\"")
                .doesNotContain("-j7\"");
        assertThat(page("/queues/q?jid=j299")).contains("1 found, 300 of 300 looked at");
        assertThat(page("/dead?class=None")).contains("0 found, 300 of 300");
    }

    @Test
    void fieldsThatMakeNoSenseCountAsNotGiven() throws Exception {
        redis.call("ZADD", "dead", "1", job("j", ""));
        for (String query :
                List.of(
                        "from=-1",
                        "from=x",
                        "from=99999999999999999999",
                        "from=999999999999999999",
                        "class=A&cursor=%00",
                        "class=A&cursor=99999999999999999999",
                        "from=5&from=6",
                        "a=b")) {
            assertThat(get(web, "/dead?" + query).statusCode()).as(query).isIn(200, 502, 503);
        }
        for (String key : List.of("x", "1-", "-", "inf-j", "1e5-j", "1-j%00", "1 -j", "..")) {
            assertThat(get(web, "/dead/" + Links.segment(key)).statusCode()).as(key).isIn(400, 404);
        }
    }

    /// In each place where something of a job, a queue or a process is shown.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "\"onmouseover=\"x",
                "'><img src=x onerror=x>",
                "</title><b>"
            })
    void nothingThatAnAppWritesBecomesHtml(String evil) throws Exception {
        write(evil);
        String segment = Links.segment(evil);
        // In text a quote is one; in a tag it would end an attribute.
        Pattern inTag = Pattern.compile("<[^<>]*" + Pattern.quote(evil));

        for (String path :
                List.of(
                        "/",
                        "/queues",
                        "/queues/" + segment,
                        "/retries",
                        "/retries/5-" + segment,
                        "/busy",
                        "/processes",
                        "/classes",
                        "/classes/" + segment,
                        "/retries?class=" + segment)) {
            String page = get(web, path).body();
            assertThat(page).as(path).contains("</html>").doesNotContainPattern(inTag);
            if (evil.contains("<")) {
                assertThat(page).as(path).doesNotContain(evil);
            }
            assertThat(page)
                    .as(path)
                    .doesNotContainPattern(
                            "<script(?! src=\"/assets/[a-z./]+\"( defer)?></script>)");
        }
    }

    /// Puts it into each field of a job, a queue and a process.
    private void write(String evil) {
        String inJson = evil.replace("\"", "\\\"");
        String job =
                ("{'class':'%s','queue':'%s','args':['%s'],'jid':'%s','error_class':'%s',"
                                + "'error_message':'%s','error_backtrace':['%s']}")
                        .replace('\'', '"')
                        .replace("%s", inJson);
        redis.call("SADD", "queues", evil);
        redis.call("LPUSH", "queue:" + evil, job);
        redis.call("ZADD", "retry", "5", job);
        redis.call("ZADD", "retry", "6", evil);
        redis.call("SADD", "processes", evil);
        String info =
                "{'tag':'%s','labels':['%s'],'queues':['%s']}"
                        .replace('\'', '"')
                        .replace("%s", inJson);
        redis.call("HSET", evil, "info", info, "busy", "1", "trouble", evil);
        String work =
                "{'queue':'%s','run_at':1,'payload':%j}"
                        .replace('\'', '"')
                        .replace("%s", inJson)
                        .replace("%j", job);
        redis.call("HSET", evil + ":work", evil, work);
        redis.call("HSET", "j|261124|12:00", evil + "|p", "1", evil + "|ms", "1");
    }

    @Test
    void keysOfAWrongTypeAreToldAndNoDefect() throws Exception {
        redis.call("SET", "retry", "x");
        redis.call("SADD", "queues", "q");
        redis.call("SET", "queue:q", "x");

        assertThat(get(web, "/retries").statusCode()).isEqualTo(502);
        assertThat(get(web, "/retries").body())
                .contains("Redis refuses this", "the key retry ", "redis-cli TYPE", "WRONGTYPE")
                .doesNotContain("not answer");
        assertThat(page("/queues")).contains("its key is no list");
    }

    @Test
    void withoutRedisAPageSaysSo() throws Exception {
        WebServer lonely = serve(Map.of(), "redis://127.0.0.1:1");
        try {
            for (String path : List.of("/", "/queues/q", "/dead", "/busy", "/processes")) {
                HttpResponse<String> answer = get(lonely, path);
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body()).contains("Redis is not answering", "127.0.0.1:1");
            }
        } finally {
            lonely.stop(Duration.ZERO);
        }
    }

    @Test
    void aRedisThatDoesNotAnswerHoldsNoPageForLong() throws Exception {
        redis.call("CLIENT", "PAUSE", "4000", "ALL");
        HttpResponse<String> answer = get(web, "/dead");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("Redis is not answering");
        Eventually.until("it answers again", () -> isAnswered("/dead"));
    }

    private boolean isAnswered(String path) {
        try {
            return get(web, path).statusCode() == 200;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void withASecretNobodySeesAPageWithoutIt() throws Exception {
        WebServer shut = serve(Map.of("MAWASHI_WEB_VIEWER", "a-viewers-secret"), SERVER.url());
        try {
            HttpResponse<String> answer = get(shut, "/queues");
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();
            assertThat(get(shut, "/assets/page.css").statusCode()).isEqualTo(200);
        } finally {
            shut.stop(Duration.ZERO);
        }
    }
}
