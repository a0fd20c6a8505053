package dev.mawashi.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.redis.RedisConnection;
import dev.mawashi.redis.RedisServerForTests;
import dev.mawashi.tables.AuditLog;
import dev.mawashi.tables.RedactionTable;
import dev.mawashi.wire.RedactionRule;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The protocol's own client with a `mawashi mcp` that it starts, and a real Redis.
final class AgentIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final RedactionRule RULE =
            new RedactionRule("MailJob", List.of(), List.of(0), false);

    private final RedisConnection redis = SERVER.connect();

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void fill() {
        redis.call("FLUSHALL");
        redis.call("SADD", "queues", "mail");
        redis.call("LPUSH", "queue:mail", job("1", ""));
        redis.call(
                "ZADD",
                "dead",
                "1795521500.25",
                job("2", ",\"error_class\":\"Timeout\",\"error_message\":\"no\""));
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private static String job(String jid, String fields) {
        return "{\"class\":\"MailJob\",\"queue\":\"mail\",\"args\":[\"ann@example.org\"],\"jid\":\""
                + jid
                + "\",\"created_at\":1795521000.5"
                + fields
                + "}";
    }

    private static McpSyncClient client(String... words) {
        List<String> all = new ArrayList<>(List.of("--redis", SERVER.url()));
        all.addAll(List.of(words));
        ServerParameters program =
                ServerParameters.builder(Talk.java())
                        .args(Talk.arguments(all.toArray(String[]::new)))
                        .build();
        McpSyncClient client =
                McpClient.sync(new StdioClientTransport(program, McpJsonDefaults.getMapper()))
                        .requestTimeout(PATIENCE)
                        .initializationTimeout(PATIENCE)
                        .build();
        client.initialize();
        return client;
    }

    private static McpSchema.CallToolResult call(
            McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(
                McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
    }

    private static String text(McpSchema.CallToolResult result) {
        return ((McpSchema.TextContent) result.content().getFirst()).text();
    }

    private static JsonNode done(McpSchema.CallToolResult result) {
        assertThat(result.isError()).as(text(result)).isFalse();
        return JsonMapper.shared().readTree(text(result));
    }

    @Test
    void aViewerReadsAndHasNoActs() {
        try (McpSyncClient client = client()) {
            List<McpSchema.Tool> tools = client.listTools().tools();
            assertThat(tools)
                    .hasSizeGreaterThan(25)
                    .allMatch(tool -> tool.annotations().readOnlyHint());
            assertThat(done(call(client, "show_stats", Map.of())).get("dead").asInt()).isEqualTo(1);
            JsonNode jobs =
                    done(call(client, "list_queue_jobs", Map.of("name", "mail", "limit", 5)));
            assertThat(jobs.at("/jobs/0/jid").asString()).isEqualTo("1");
            JsonNode dead = done(call(client, "list_dead", Map.of("error", "Timeout")));
            String key = dead.at("/jobs/0/key").asString();
            assertThat(done(call(client, "show_dead", Map.of("key", key))).toString())
                    .contains("ann@example.org");

            McpSchema.CallToolResult refused = call(client, "pause_queue", Map.of("name", "mail"));
            assertThat(refused.isError()).isTrue();
            assertThat(text(refused)).contains("--role operator");
            assertThat(redis.call("EXISTS", "paused", "mw:audit")).isEqualTo(0L);
        }
    }

    @Test
    void whatARuleHidesIsInNoAnswer() {
        new RedactionTable(redis).write(List.of(RULE));
        try (McpSyncClient client = client("--role", "admin")) {
            String key = done(call(client, "list_dead", Map.of())).at("/jobs/0/key").asString();
            assertThat(
                            List.of(
                                    text(call(client, "list_dead", Map.of())),
                                    text(call(client, "list_queue_jobs", Map.of("name", "mail"))),
                                    text(call(client, "show_dead", Map.of("key", key)))))
                    .allMatch(text -> text.contains("[REDACTED]"))
                    .noneMatch(text -> text.contains("ann@"));
            assertThat(
                            done(call(client, "list_dead", Map.of("text", "ann@")))
                                    .get("jobs")
                                    .isEmpty())
                    .isTrue();
        }
    }

    @Test
    void anOperatorActsIsRecordedAndUndoesIt() {
        try (McpSyncClient client = client("--role", "operator")) {
            assertThat(client.listTools().tools().stream().map(McpSchema.Tool::name))
                    .contains("retry_dead", "pause_queue", "undo_act", "enqueue")
                    .doesNotContain("clear_dead", "delete_retries", "stop_process");
            JsonNode record = done(call(client, "retry_dead", Map.of("error", "Timeout")));
            assertThat(record.get("touched").asInt()).isEqualTo(1);
            assertThat(redis.call("LLEN", "queue:mail")).isEqualTo(2L);

            JsonNode newest = done(call(client, "list_acts", Map.of())).at("/acts/0");
            assertThat(newest.get("who").asString()).isEqualTo("mcp");
            assertThat(newest.get("role").asString()).isEqualTo("operator");
            assertThat(newest.get("address").asString())
                    .startsWith(System.getProperty("user.name"));
            assertThat(newest.get("act").asString()).isEqualTo("retry");

            String id = newest.get("id").asString();
            assertThat(done(call(client, "undo_act", Map.of("id", id))).get("touched").asInt())
                    .isEqualTo(1);
            assertThat(redis.call("ZCARD", "dead")).isEqualTo(1L);

            McpSchema.CallToolResult refused = call(client, "clear_dead", Map.of());
            assertThat(refused.isError()).isTrue();
            assertThat(text(refused)).contains("--role admin");
            assertThat(redis.call("ZCARD", "dead")).isEqualTo(1L);
        }
    }

    @Test
    void aJobThatIsEnqueuedTwiceWithOneKeyIsThereOnce() {
        Map<String, Object> job =
                Map.of(
                        "class", "MailJob",
                        "args", List.of(1, Map.of("to", "é")),
                        "queue", "mail",
                        "Idempotency-Key", "monday");
        try (McpSyncClient client = client("--role", "operator")) {
            String first = done(call(client, "enqueue", job)).at("/jids/0").asString();
            assertThat(done(call(client, "enqueue", job)).at("/jids/0").asString())
                    .isEqualTo(first);
        }
        assertThat(redis.call("LLEN", "queue:mail")).isEqualTo(2L);
    }

    /// More jobs than are moved before the answer that the act goes on.
    @Test
    void anActUnderWayHasItsEndRecordedWhenTheAgentLeaves() throws Exception {
        for (int i = 0; i < 200; i++) {
            List<String> call = new ArrayList<>(List.of("ZADD", "dead"));
            for (int n = 0; n < 1000; n++) {
                call.addAll(List.of("1795521500", job(i + "-" + n, "")));
            }
            redis.call(call.toArray(String[]::new));
        }
        try (Talk talk = new Talk("--redis", SERVER.url(), "--role", "operator").greet()) {
            talk.send(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                            + "{\"name\":\"retry_dead\",\"arguments\":{\"of\":\"all\"}}}");
            assertThat(talk.rest()).hasSize(1);
            assertThat(talk.status()).isZero();
        }
        String record = new AuditLog(redis).newest(1).getFirst();
        assertThat(record).contains("\"who\":\"mcp\"").containsAnyOf("\"ended\"", "\"done\"");
    }

    @Test
    void anAdminClears() {
        try (McpSyncClient client = client("--role", "admin")) {
            assertThat(done(call(client, "clear_dead", Map.of())).get("touched").asInt())
                    .isEqualTo(1);
        }
        assertThat(redis.call("ZCARD", "dead")).isEqualTo(0L);
    }
}
