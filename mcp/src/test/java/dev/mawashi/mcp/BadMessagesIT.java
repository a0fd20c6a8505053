package dev.mawashi.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisServerForTests;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// `mawashi mcp` answers whatever comes, and goes on.
final class BadMessagesIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    private static Talk talk() throws IOException {
        return new Talk("--redis", SERVER.url());
    }

    private static void assertError(Talk talk, String line, int code, String words)
            throws IOException {
        talk.send(line);
        JsonNode answer = talk.answer();
        assertThat(answer.at("/error/code").asInt(0)).as(line).isEqualTo(code);
        assertThat(answer.at("/error/message").asString("")).as(line).contains(words);
    }

    private static String call(String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":" + params + "}";
    }

    @Test
    void aBrokenMessageIsAnsweredAndTheNextOneIsServed() throws Exception {
        try (Talk talk = talk()) {
            String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
            assertError(talk, ping, -32600, "send initialize and notifications/initialized first");
            assertError(
                    talk,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}",
                    -32602,
                    "params of initialize has protocolVersion");
            talk.greet();
            assertError(talk, "nonsense", -32700, "a line is one message in JSON");
            assertError(talk, "{\"jsonrpc\":", -32700, "a line is one message in JSON");
            assertError(talk, "[".repeat(100_000), -32700, "a line is one message in JSON");
            assertError(talk, "[" + ping + "]", -32600, "no message of JSON-RPC 2.0");
            assertError(talk, "{\"jsonrpc\":\"2.0\",\"id\":9}", -32600, "no message of JSON-RPC");
            assertError(talk, "x".repeat(2 << 20), -32600, "a message has at most 1 MiB");
            assertError(talk, call("5"), -32602, "params of tools/call is an object with name");
            assertError(talk, call("{\"name\":7}"), -32602, "is an object with name");
            assertError(talk, call("{\"name\":\"nope\"}"), -32602, "there is no tool nope:");
            String listed = "{\"name\":\"list_dead\",\"arguments\":[]}";
            assertError(talk, call(listed), -32602, "arguments is an object");
            talk.send("\n  ");
            talk.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/none\",\"params\":{}}");
            talk.send(ping);
            assertThat(talk.answer().get("result").isEmpty()).isTrue();
            assertThat(talk.rest()).isEmpty();
            assertThat(talk.errors()).isEmpty();
            assertThat(talk.status()).isZero();
        }
    }

    @Test
    void aWrongArgumentIsAToolsErrorThatSaysWhatIsWrong() throws Exception {
        try (Talk talk = talk().greet()) {
            assertRefused(talk, "list_dead", Map.of("limit", "x"), "integer expected");
            assertRefused(talk, "list_dead", Map.of("limit", 1001), "maximum value of 1000");
            assertRefused(talk, "list_dead", Map.of("more", 1), "'more' is not defined");
            assertRefused(talk, "list_dead", Map.of("older", "never"), "never is not a time");
            assertRefused(talk, "list_queue_jobs", Map.of(), "'name' not found");
            assertRefused(talk, "show_queue", Map.of("name", "none"), "there is no such queue");
            assertRefused(talk, "show_dead", Map.of("key", "1-none"), "it is not in this set");
            assertRefused(talk, "show_process", Map.of("identity", "a"), "no such process");
            assertRefused(talk, "show_act", Map.of("id", "none"), "no change of late");
            assertRefused(talk, "list_classes", Map.of("period", "1y"), "15m");
            assertRefused(talk, "show_scale", Map.of("queue", "q"), "array expected");
            assertRefused(talk, "profile", Map.of("seconds", 11), "maximum value of 10");
            String long1001 = "x".repeat(1001);
            assertRefused(
                    talk,
                    "show_queue",
                    Map.of("name", long1001),
                    "must be at most 1,000 characters");
            assertRefused(talk, "pause_queue", Map.of("name", "q"), "--role operator");
            assertRefused(talk, "clear_dead", Map.of(), "--role admin");
        }
    }

    private static void assertRefused(
            Talk talk, String tool, Map<String, Object> arguments, String words)
            throws IOException {
        JsonNode answer = talk.call(tool, arguments);
        assertThat(answer.at("/result/isError").asBoolean(false)).as("" + answer).isTrue();
        assertThat(Talk.text(answer)).contains(words);
    }

    @Test
    void whatWasAskedBeforeTheInputEndedIsAnswered() throws Exception {
        try (Talk talk = talk()) {
            talk.send(Talk.GREETING.strip());
            for (int i = 0; i < 100; i++) {
                talk.send(call("{\"name\":\"show_stats\"}").replace("7", "" + i));
            }
            List<JsonNode> answers = talk.rest();
            assertThat(answers).hasSize(101);
            assertThat(answers.stream().map(one -> one.get("id").asString("")))
                    .doesNotHaveDuplicates();
            assertThat(talk.status()).isZero();
        }
    }

    @Test
    void aRedisThatGoesAwayIsAToolsErrorUntilItIsBack() throws Exception {
        try (RedisServerForTests server = new RedisServerForTests();
                Talk talk = new Talk("--redis", server.url()).greet()) {
            server.kill();
            JsonNode answer = talk.call("show_stats", Map.of());
            assertThat(answer.at("/result/isError").asBoolean(false)).isTrue();
            assertThat(Talk.text(answer)).contains("Redis is not answering");
            server.crashAndStart();
            assertThat(Talk.text(talk.call("show_stats", Map.of()))).contains("\"processed\":0");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--redis,redis://127.0.0.1:1/0,1,mawashi: cannot reach redis://127.0.0.1:1/0",
        "--redis,nonsense,2,mawashi: --redis",
        "--role,root,2,'mawashi: --role is viewer, operator or admin, not root'",
    })
    void whatCannotStartEndsWithOneLine(String flag, String value, int status, String words)
            throws Exception {
        try (Talk talk = new Talk(flag, value)) {
            assertThat(talk.rest()).isEmpty();
            assertThat(talk.errors().lines()).singleElement().asString().startsWith(words);
            assertThat(talk.status()).isEqualTo(status);
        }
    }
}
