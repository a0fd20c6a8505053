package dev.mawashi.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.broker.AtomicEnqueuing;
import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests for jobs from which nothing is enqueued, and what they are told.
final class BadEnqueueIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final RedisConnection REDIS = SERVER.connect();
    private static final EnqueueRig RIG = new EnqueueRig(SERVER.address());
    private static final String ONE = "{\"class\":\"A\"}";

    @BeforeAll
    static void emptyServer() {
        SERVER.flushAll();
    }

    @AfterAll
    static void stop() {
        RIG.close();
        REDIS.close();
        SERVER.close();
    }

    @AfterEach
    void nothingIsEnqueued() {
        assertThat(REDIS.call("DBSIZE")).isEqualTo(0L);
    }

    private static void refused(String body, String why) {
        EnqueueRig.assertRefused(RIG.keyed("k", body), 400, why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|the body is no JSON object",
                "hello|the body is no JSON object",
                "class=A&args=1|the body is no JSON object",
                "42|the body is no JSON object",
                "null|the body is no JSON object",
                "\"A\"|the body is no JSON object",
                "{\"class\":\"A\"|the body is no JSON object",
                "{\"class\":\"A\"} {}|the body is no JSON object",
                "{\"class\":\"A\",\"class\":\"B\"}|twice",
                "[]|the array has no job",
                "[1]|job 1 of 1: the body is no JSON object",
                "[{\"class\":\"A\"},|the body is no JSON object",
                "[[{\"class\":\"A\"}]]|job 1 of 1: the body is no JSON object",
                "{}|class is missing",
                "{\"class\":null}|class is no JSON string",
                "{\"class\":[\"A\"]}|class is no JSON string",
                "{\"class\":\"\"}|is no class name",
                "{\"class\":\"a b\"}|is no class name",
                "{\"class\":\"A\\u0000\"}|is no class name",
                "{\"class\":\"A\",\"args\":1}|args is no JSON array",
                "{\"class\":\"A\",\"args\":{\"a\":1}}|args is no JSON array",
                "{\"class\":\"A\",\"args\":null}|args is no JSON array",
                "{\"class\":\"A\",\"args\":[NaN]}|the body is no JSON object",
                "{\"class\":\"A\",\"queue\":\"\"}|is no name: give 1 to 200",
                "{\"class\":\"A\",\"queue\":\"a\\nb\"}|is no name: give 1 to 200",
                "{\"class\":\"A\",\"queue\":\"\\ud800\"}|is no name: give 1 to 200",
                "{\"class\":\"A\",\"queue\":7}|queue is no JSON string",
                "{\"class\":\"A\",\"retry\":-1}|neither true nor false nor a number",
                "{\"class\":\"A\",\"retry\":\"5\"}|neither true nor false nor a number",
                "{\"class\":\"A\",\"retry\":2.5}|neither true nor false nor a number",
                "{\"class\":\"A\",\"tags\":\"vip\"}|tags is no JSON array",
                "{\"class\":\"A\",\"tags\":[1]}|a tag is no JSON string",
                "{\"class\":\"A\",\"tags\":[\"\"]}|is no name: give 1 to 200",
                "{\"class\":\"A\",\"at\":\"2026-12-24\"}|at is no number",
                "{\"class\":\"A\",\"at\":null}|at is no number",
                "{\"class\":\"A\",\"at\":true}|at is no number",
                "{\"class\":\"A\",\"at\":90}|at is more than a year ago: give seconds since 1970",
                "{\"class\":\"A\",\"at\":-1e999}|at is more than a year ago",
                "{\"class\":\"A\",\"at\":1795521600000}|at is more than ten years ahead",
                "{\"class\":\"A\",\"at\":1e999}|at is more than ten years ahead",
                "{\"class\":\"A\",\"jid\":\"1\"}|there is no field \\\"jid\\\" here, only args, at",
                "{\"class\":\"A\",\"Queue\":\"q\"}|there is no field \\\"Queue\\\" here, only args, at",
            })
    void whatIsNoJobIsRefusedWithTheRemedy(String body, String why) {
        refused(body, why);
    }

    @Test
    void oneThatIsNoneRefusesAllAndIsNamed() {
        refused("[" + ONE + "," + ONE + ",{\"class\":\"a\"}]", "job 3 of 3: class \\\"a\\\" is no");
    }

    @Test
    void argumentsThatAreNestedTooDeepAreRefused() {
        String deep = "[".repeat(101) + "]".repeat(101);
        refused("{\"class\":\"A\",\"args\":" + deep + "}", "nesting is deeper than 100");
    }

    @Test
    void bytesThatAreNoTextAreRefused() {
        byte[] body = "{\"class\":\"A\",\"args\":[\"?\"]}".getBytes(UTF_8);
        body[body.length - 4] = (byte) 0xff;
        EnqueueRig.assertRefused(
                RIG.post(
                        EnqueueRig.ENQUEUER,
                        "/api/v1/jobs",
                        body,
                        List.of("Content-Type", "application/json")),
                400,
                "the body is not in UTF-8");
    }

    @Test
    void moreJobsThanARequestMayHaveAreRefused() {
        int more = AtomicEnqueuing.JOBS_MAX + 1;
        String body = "[" + String.join(",", Collections.nCopies(more, ONE)) + "]";
        EnqueueRig.assertRefused(
                RIG.keyed("k", body), 413, "at most " + AtomicEnqueuing.JOBS_MAX + " jobs");
    }

    @Test
    void aBodyAboveTheLimitIsRefused() {
        String large = "{\"class\":\"A\",\"args\":[\"" + "x".repeat(1 << 20) + "\"]}";
        EnqueueRig.assertRefused(RIG.keyed("k", large), 413, "a body has at most 1 MiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\tb"})
    void aKeyThatIsNoWordIsRefused(String key) {
        EnqueueRig.assertRefused(
                RIG.keyed(key, ONE), 400, "Idempotency-Key is one word of 1 to 200");
    }

    @Test
    void aKeyThatIsTooLongOrGivenTwiceIsRefused() {
        String why = "Idempotency-Key is one word of 1 to 200";
        EnqueueRig.assertRefused(RIG.keyed("k".repeat(201), ONE), 400, why);
        EnqueueRig.assertRefused(
                RIG.post(ONE, "Idempotency-Key", "a", "Idempotency-Key", "b"), 400, why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/jsonx"})
    void anotherTypeThanJsonIsRefused(String type) {
        EnqueueRig.assertRefused(
                RIG.post(
                        EnqueueRig.ENQUEUER,
                        "/api/v1/jobs",
                        ONE.getBytes(UTF_8),
                        List.of("Content-Type", type)),
                415,
                "send the header Content-Type: application/json");
    }

    @Test
    void parametersOfTheAddressAreRefusedAndNotOverlooked() {
        EnqueueRig.assertRefused(
                RIG.post(
                        EnqueueRig.ENQUEUER,
                        "/api/v1/jobs?queue=low",
                        ONE.getBytes(UTF_8),
                        List.of("Content-Type", "application/json")),
                400,
                "put all into the body");
    }
}
