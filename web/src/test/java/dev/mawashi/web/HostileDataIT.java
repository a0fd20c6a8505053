package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.http.Route;
import dev.mawashi.pages.Links;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What apps write, and what readers ask for, against every route that can be read.
final class HostileDataIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    /// The value of an attribute, which ends at the next quote.
    private static final Pattern VALUE = Pattern.compile("=\"[^\"]*\"");

    /// Of a tag without those: an attribute that holds code.
    private static final Pattern CODE =
            Pattern.compile("<[a-z][^<>]*[\\s\"/](on[a-z]+|style)\\s*=", Pattern.CASE_INSENSITIVE);

    private static final Pattern LINK_TO_CODE =
            Pattern.compile(
                    "(href|src|action)\\s*=\\s*[\"']?\\s*javascript:", Pattern.CASE_INSENSITIVE);

    private static final Pattern SCRIPT = Pattern.compile("<script[^>]*>");

    private final RedisConnection redis = SERVER.connect();
    private WebServer web;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        SERVER.flushAll();
        web = RouteCalls.serve(SERVER.url(), Map.of());
    }

    @AfterEach
    void close() {
        web.stop(Duration.ZERO);
        redis.close();
    }

    private List<Route> gets() {
        return web.routes().stream().filter(route -> route.method().equals("GET")).toList();
    }

    private interface Check {
        void of(Route route, RouteCalls.Reply reply);
    }

    private void read(String text, String query, Check check) throws Exception {
        try (RouteCalls calls = new RouteCalls(web, text)) {
            for (Route route : gets()) {
                check.of(route, calls.call(route, query));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "\"onmouseover=\"alert(1)",
                "' onfocus=alert(1) x='",
                "</title><img src=x onerror=alert(1)>",
                "javascript:alert(1)",
                "--><svg/onload=alert(1)>",
                "`${7*7}`{{7*7}}<%= 7 %>",
                "&lt;script&gt;",
            })
    void nothingThatIsWrittenBecomesCodeOnAnyPage(String evil) throws Exception {
        new FullRedis(redis, evil).fill();
        Pattern inTag = Pattern.compile("<[a-zA-Z/!][^<>]*" + Pattern.quote(evil));
        String asked = "?class=$&queue=$&error=$&text=$&jid=$&substr=$&period=$";

        for (String query : List.of("", asked.replace("$", Links.segment(evil)))) {
            read(
                    evil,
                    query,
                    (route, reply) -> {
                        assertThat(reply.status()).as(route.template()).isIn(200, 400, 404);
                        if (reply.type().startsWith("text/html")) {
                            assertHarmless(route, reply.body(), evil);
                            if (evil.contains("<") || evil.contains("\"")) {
                                assertThat(reply.body())
                                        .as(route.template())
                                        .doesNotContainPattern(inTag);
                            }
                        }
                    });
        }
    }

    private static void assertHarmless(Route route, String page, String evil) {
        assertThat(page.strip()).as(route.template()).endsWith("</html>");
        assertThat(VALUE.matcher(page).replaceAll("=\"\""))
                .as(route.template())
                .doesNotContainPattern(CODE);
        assertThat(page).as(route.template()).doesNotContainPattern(LINK_TO_CODE);
        assertThat(SCRIPT.matcher(page).results().map(tag -> tag.group()))
                .as(route.template())
                .allMatch(tag -> tag.contains(" src=\"/assets/"));
        if (evil.contains("<") || evil.startsWith("&")) {
            assertThat(page).as(route.template()).doesNotContain(evil);
        }
    }

    @Test
    void whatIsJsonSaysSoAndCallsNothing() throws Exception {
        new FullRedis(redis, "q").fill();
        read(
                "q",
                "?callback=alert&jsonp=alert",
                (route, reply) -> {
                    assertThat(reply.type())
                            .as(route.template())
                            .doesNotContain("javascript;charset");
                    assertThat(reply.body()).as(route.template()).doesNotContain("alert(");
                    if (reply.type().contains("json")) {
                        assertThat(reply.body()).as(route.template()).matches("(?s)[{\\[].*");
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "0",
                "1000000000",
                "99999999999999999999",
                "abc",
                "1e3",
                "%D9%A3",
                "",
                "1.5",
                "NaN",
                "%00",
                "0x10",
                "+1",
                "--1",
                "-9223372036854775808",
                "9223372036854775807"
            })
    void numbersThatMakeNoSenseAreNoDefect(String number) throws Exception {
        new FullRedis(redis, "q").fill();
        String query =
                "?from=$&page=$&count=$&days=$&cursor=$&limit=$&period=$&since=$&at=$&older=$&younger=$&age=$&window=$";

        for (String asked : List.of(query, query + "&class=q")) {
            read(
                    "q",
                    asked.replace("$", number),
                    (route, reply) ->
                            assertThat(reply.status())
                                    .as(route.template() + " " + reply.body())
                                    .isIn(200, 400, 404, 502, 503));
        }
    }

    /// A key in Redis is named by a route, never by who calls it.
    @Test
    void noPathOrQueryChoosesAKey() throws Exception {
        String hidden = "hidden-value";
        for (String key : List.of("private", "private:work", "private:workers")) {
            for (List<String> command :
                    List.of(
                            List.of(
                                    "HSET",
                                    key,
                                    "data",
                                    hidden,
                                    "info",
                                    "{\"tag\":\"hidden-value\"}"),
                            List.of("LPUSH", key, hidden),
                            List.of("ZADD", key, "5", hidden),
                            List.of("SET", key, hidden),
                            List.of("SADD", key, hidden))) {
                redis.call("DEL", key);
                redis.call(command.toArray(String[]::new));
                for (String query : List.of("", "?set=private&key=private&queue=private")) {
                    read(
                            "private",
                            query,
                            (route, reply) ->
                                    assertThat(reply.body())
                                            .as(route.template() + " " + command)
                                            .doesNotContain(hidden));
                }
            }
        }
    }

    @Test
    void aSearchTakesWhatIsAskedForAsItStands() throws Exception {
        for (String text :
                List.of(".*", "[[[[", "(a+)+$", "*", "?", "\\", "%", "^", "a".repeat(999))) {
            SERVER.flushAll();
            String inJson = text.replace("\\", "\\\\");
            for (String argument : List.of(inJson, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")) {
                redis.call(
                        "ZADD",
                        "dead",
                        "1",
                        "{\"class\":\"A\",\"queue\":\"q\",\"args\":[\"%s\"],\"jid\":\"j%d\"}"
                                .formatted(argument, argument.length()));
            }
            try (RouteCalls calls = new RouteCalls(web, "q")) {
                String path = "/dead?text=" + Links.segment(inJson);
                assertThat(calls.call("GET", path).body())
                        .as(text)
                        .contains("-j" + inJson.length() + "\"")
                        .doesNotContain("-j42\"");
                assertThat(calls.call("GET", "/dead?class=" + Links.segment(text)).body())
                        .as(text)
                        .doesNotContain("-j42\"");
            }
        }
    }

    /// Whoever may enqueue may write any number.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e308",
                "-1e308",
                "99999999999999999999999",
                "-5",
                "\"x\"",
                "null",
                "[]",
                "true"
            })
    void anyNumberThatAnAppWritesIsShownOrLeftOut(String number) throws Exception {
        String fields =
                ("'created_at':%s,'enqueued_at':%s,'failed_at':%s,'retried_at':%s,'retry_count':%s,"
                                + "'at':%s,'run_at':%s,'pid':%s,'concurrency':%s,'started_at':%s")
                        .replace('\'', '"')
                        .replace("%s", number);
        String job = "{\"class\":\"A\",\"queue\":\"q\",\"args\":[],\"jid\":\"q\"," + fields + "}";
        redis.call("SADD", "queues", "q");
        redis.call("LPUSH", "queue:q", job);
        redis.call("SADD", "processes", "q");
        redis.call("HSET", "q", "info", "{" + fields + "}", "busy", number);
        redis.call("HSET", "q", "beat", number, "rss", number, "rtt_us", number);
        redis.call(
                "HSET", "q:work", "t", "{\"queue\":\"q\",\"payload\":" + job + "," + fields + "}");
        redis.call("SET", "stat:processed", number);
        for (String score : List.of("5", "-1e308", "1e308", "-inf", "inf", "0.1")) {
            redis.call("DEL", "retry", "dead", "schedule");
            for (String set : List.of("retry", "dead", "schedule")) {
                redis.call("ZADD", set, score, job);
            }
            read(
                    "q",
                    "",
                    (route, reply) ->
                            assertThat(reply.status())
                                    .as(route.template() + " " + reply.body())
                                    .isIn(200, 400, 404));
        }
    }
}
