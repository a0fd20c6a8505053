package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.http.Role;
import dev.mawashi.http.Route;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What holds for every route there is, so that a new one is tried by being there.
final class RouteTableIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final String TEXT = "q-1";
    private static final Map<Role, String> SECRETS =
            Map.of(
                    Role.VIEWER, "viewer-secret-0001",
                    Role.ENQUEUER, "enqueuer-secret-01",
                    Role.OPERATOR, "operator-secret-01",
                    Role.ADMIN, "admin-secret-00002");

    private final RedisConnection redis = SERVER.connect();
    private WebServer web;
    private RouteCalls calls;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() {
        fill();
        web =
                RouteCalls.serve(
                        SERVER.url(),
                        Map.of(
                                "MAWASHI_WEB_VIEWER", secret(Role.VIEWER),
                                "MAWASHI_WEB_ENQUEUER", secret(Role.ENQUEUER),
                                "MAWASHI_WEB_OPERATOR", secret(Role.OPERATOR),
                                "MAWASHI_WEB_ADMIN", secret(Role.ADMIN)));
        calls = new RouteCalls(web, TEXT);
    }

    private static String secret(Role role) {
        return SECRETS.getOrDefault(role, "none");
    }

    private void fill() {
        redis.call("FLUSHALL");
        new FullRedis(redis, TEXT).fill();
    }

    @AfterEach
    void close() {
        calls.close();
        web.stop(Duration.ZERO);
        redis.close();
    }

    private List<Route> routes(boolean isGet) {
        return web.routes().stream().filter(one -> one.method().equals("GET") == isGet).toList();
    }

    private static String bearer(Role role) {
        return "Bearer " + secret(role);
    }

    private static String basic(Role role) {
        byte[] pair = ("ann:" + secret(role)).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    @Test
    void whatChangesSomethingNeedsAnOperatorOrAnAdmin() {
        assertThat(routes(true)).hasSizeGreaterThan(10);
        assertThat(routes(false))
                .allSatisfy(route -> {
                    assertThat(route.method()).as(route.template()).isEqualTo("POST");
                    if (route.template().equals("/api/v1/jobs")) {
                        assertThat(route.role()).isEqualTo(Role.ENQUEUER);
                    } else {
                        assertThat(route.role())
                                .as(route.template())
                                .isIn(Role.OPERATOR, Role.ADMIN);
                    }
                });
        assertThat(routes(true))
                .allSatisfy(route ->
                        assertThat(route.role())
                                .as(route.template())
                                .isIn(Role.ANYBODY, Role.VIEWER));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?_method=DELETE&_method=POST&method=post",
                "?class=q-1&queue=q-1&error=q&text=q&jid=q-1&tag=q-1",
                "?from=1&page=2&count=5&days=3&cursor=0&period=1h",
            })
    void aGetLeavesRedisByteForByteAsItWas(String query) throws Exception {
        Map<String, String> before = FullRedis.dump(redis);

        for (Route route : routes(true)) {
            int status =
                    calls.call(
                                    route,
                                    query,
                                    "Authorization",
                                    bearer(Role.ADMIN),
                                    "X-HTTP-Method-Override",
                                    "POST",
                                    "X-HTTP-Method",
                                    "DELETE")
                            .status();
            assertThat(status).as(route.template()).isIn(200, 303, 400, 404, 502, 503);
            assertThat(FullRedis.dump(redis)).as(route.template()).isEqualTo(before);
        }
    }

    @Test
    void withoutASecretNoRouteTellsOrChangesAnythingThatAnybodyMayNot() throws Exception {
        Map<String, String> before = FullRedis.dump(redis);
        for (Route route : web.routes()) {
            RouteCalls.Reply reply = calls.call(route, "", "Sec-Fetch-Site", "same-origin");

            if (route.role().equals(Role.ANYBODY)) {
                assertThat(reply.status()).as(route.template()).isIn(200, 502, 503);
            } else {
                assertThat(reply.status()).as(route.template()).isEqualTo(401);
                assertThat(reply.whole().headers().map()).containsKey("www-authenticate");
            }
            assertThat(reply.body()).as(route.template()).doesNotContain(TEXT);
        }
        assertThat(FullRedis.dump(redis)).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"VIEWER", "ENQUEUER", "OPERATOR"})
    void aRoleThatIsTooLowChangesNothing(Role role) throws Exception {
        Map<String, String> before = FullRedis.dump(redis);
        for (Route route : routes(false)) {
            if (!role.may(route.role())) {
                RouteCalls.Reply reply = calls.call(route, "", "Authorization", bearer(role));

                assertThat(reply.status()).as(route.template()).isEqualTo(403);
                assertThat(reply.body()).contains("this needs the role " + route.role());
            }
        }
        assertThat(FullRedis.dump(redis)).isEqualTo(before);
    }

    @Test
    void whoEnqueuesReadsNothing() throws Exception {
        for (Route route : routes(true)) {
            if (route.role().equals(Role.VIEWER)) {
                RouteCalls.Reply reply =
                        calls.call(route, "", "Authorization", bearer(Role.ENQUEUER));

                assertThat(reply.status()).as(route.template()).isEqualTo(403);
                assertThat(reply.body()).as(route.template()).doesNotContain(TEXT);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"VIEWER", "ENQUEUER", "OPERATOR", "ADMIN"})
    void aRoleThatIsHighEnoughIsLetThrough(Role role) throws Exception {
        for (Route route : web.routes()) {
            if (role.may(route.role())) {
                fill();
                int status = calls.call(route, "", "Authorization", bearer(role)).status();

                assertThat(status).as(route.template()).isNotIn(401, 403, 405, 500);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "Sec-Fetch-Site,cross-site",
                "Sec-Fetch-Site,same-site",
                "Sec-Fetch-Site,none",
                "Origin,null",
                "Origin,http://evil.example",
                "X-None,of-the-two",
            })
    void aBrowserThatSpeaksForAnotherSiteChangesNothing(String name, String value)
            throws Exception {
        Map<String, String> before = FullRedis.dump(redis);
        for (Route route : routes(false)) {
            int status =
                    calls.call(route, "", "Authorization", basic(Role.ADMIN), name, value).status();

            assertThat(status).as(route.template()).isEqualTo(403);
        }
        assertThat(FullRedis.dump(redis)).isEqualTo(before);
    }

    @Test
    void noAnswerKeepsASessionTrustsAnotherSiteOrMayBeFramed() throws Exception {
        for (Route route : web.routes()) {
            fill();
            RouteCalls.Reply reply = calls.call(route, "", "Authorization", bearer(Role.ADMIN));

            assertThat(reply.whole().headers().map())
                    .as(route.template())
                    .containsEntry("x-content-type-options", List.of("nosniff"))
                    .containsEntry("cache-control", List.of("no-store"))
                    .doesNotContainKeys("set-cookie", "access-control-allow-origin")
                    .hasEntrySatisfying(
                            "content-security-policy",
                            policy ->
                                    assertThat(policy.toString())
                                            .contains(
                                                    "frame-ancestors 'none'", "form-action 'self'")
                                            .doesNotContain("unsafe", "*", "http"));
        }
    }

    @Test
    void noRouteSendsAReaderElsewhere() throws Exception {
        String query = "?return_to=//evil.example&back=https://evil.example&url=//evil.example";
        for (Route route : web.routes()) {
            fill();
            RouteCalls.Reply reply =
                    calls.call(
                            route,
                            query,
                            "Authorization",
                            bearer(Role.ADMIN),
                            "Referer",
                            "https://evil.example/");

            assertThat(reply.whole().headers().firstValue("Location").orElse("/"))
                    .as(route.template())
                    .matches("/([^/\\\\].*)?");
        }
    }
}
