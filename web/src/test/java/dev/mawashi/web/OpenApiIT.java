package dev.mawashi.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.mawashi.http.Route;
import dev.mawashi.redis.RedisServerForTests;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The description says what the routes are, and the answers are as it says.
final class OpenApiIT {
    private static final RedisServerForTests SERVER = new RedisServerForTests();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OWN = "https://mawashi.test/openapi.json";

    /// What stands for a name in the path, in a Redis as the rig fills it.
    private static final Map<String, String> NAMES =
            Map.of(
                    "/api/v1/retries/{key}", "/api/v1/retries/1795521600.25-r",
                    "/api/v1/scheduled/{key}", "/api/v1/scheduled/1795521600-s0",
                    "/api/v1/dead/{key}", "/api/v1/dead/inf-");

    private static final String CHANGE = "00000000000000aa";

    private WebRig rig;
    private JsonNode file;
    private SchemaRegistry schemas;

    @AfterAll
    static void stopServer() {
        SERVER.close();
    }

    @BeforeEach
    void start() throws Exception {
        SERVER.flushAll();
        rig = new WebRig(SERVER, Map.of());
        rig.fill();
        String text = rig.get("/api/v1/openapi.json").body();
        file = JSON.readTree(text);
        schemas =
                SchemaRegistry.withDefaultDialect(
                        SpecificationVersion.DRAFT_2020_12,
                        registry -> registry.schemas(Map.of(OWN, text)));
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private interface Visit {
        void see(String path, String method, JsonNode operation) throws Exception;
    }

    private void forEachOperation(Visit visit) throws Exception {
        for (var path : file.get("paths").properties()) {
            for (var operation : path.getValue().properties()) {
                visit.see(
                        path.getKey(),
                        operation.getKey().toUpperCase(Locale.ROOT),
                        operation.getValue());
            }
        }
    }

    /// An operation's parameters, references followed.
    private List<JsonNode> parameters(JsonNode operation) {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode one : operation.path("parameters")) {
            JsonNode reference = one.get("$ref");
            all.add(reference == null ? one : file.at(reference.textValue().substring(1)));
        }
        return all;
    }

    private Set<String> names(JsonNode operation, String where) {
        Set<String> names = new TreeSet<>();
        for (JsonNode one : parameters(operation)) {
            if (one.get("in").textValue().equals(where)) {
                names.add(one.get("name").textValue());
            }
        }
        return names;
    }

    private List<String> problems(String pointer, JsonNode value) {
        Schema schema = schemas.getSchema(SchemaLocation.of(OWN + "#" + pointer));
        return schema.validate(value).stream().map(String::valueOf).toList();
    }

    private static String pointer(String path, String method) {
        return "/paths/"
                + path.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
                + "/"
                + method.toLowerCase(Locale.ROOT)
                + "/responses/200/content/application~1json/schema";
    }

    /// Whether it answers without end.
    private static boolean isStream(JsonNode operation) {
        return operation.at("/responses/200/content").has("text/event-stream");
    }

    /// Whether it is for pages before all, and says nothing of parameters that it does not know.
    private static boolean isLive(JsonNode operation) {
        return operation.get("tags").get(0).textValue().equals("Live");
    }

    private static String example(String path) {
        return NAMES.getOrDefault(
                path,
                path.replace("{name}", "q")
                        .replace("{identity}", "web-1:7:aa")
                        .replace("{slot}", "t")
                        .replace("{id}", CHANGE));
    }

    @Test
    void theDescriptionIsOpenApi31() throws Exception {
        SwaggerParseResult result =
                new OpenAPIV3Parser().readContents(JSON.writeValueAsString(file), null, null);
        assertThat(result.getMessages()).isNullOrEmpty();
        assertThat(result.getOpenAPI().getOpenapi()).isEqualTo("3.1.0");
        assertThat(result.getOpenAPI().getPaths()).hasSize(file.get("paths").size());
    }

    @Test
    void itHasEachRouteWithItsRoleAndNoneMore() throws Exception {
        Map<String, String> routes = new TreeMap<>();
        for (Route route : rig.web.routes()) {
            if (route.template().startsWith("/api/")) {
                routes.put(
                        route.method() + " " + route.template(),
                        route.role().name().toLowerCase(Locale.ROOT));
            }
        }
        Map<String, String> described = new TreeMap<>();
        forEachOperation((path, method, operation) ->
                described.put(method + " " + path, operation.path("x-role").asText()));
        assertThat(described).isEqualTo(routes);
    }

    @Test
    void eachOperationHasTheNamesOfItsPathAndAnswersForAllErrors() throws Exception {
        forEachOperation((path, method, operation) -> {
            Set<String> inPath = new TreeSet<>();
            Pattern.compile("\\{(\\w+)}")
                    .matcher(path)
                    .results()
                    .forEach(m -> inPath.add(m.group(1)));
            assertThat(names(operation, "path")).as(path).isEqualTo(inPath);
            assertThat(operation.path("summary").asText()).as(path).isNotBlank();
            assertThat(operation.get("responses").has("401")).as(path).isTrue();
        });
    }

    @Test
    void everyAnswerIsAsItsSchemaSays() throws Exception {
        forEachOperation((path, method, operation) -> {
            if (method.equals("GET") && !isStream(operation)) {
                HttpResponse<String> answer = rig.get(example(path));
                assertThat(answer.statusCode()).as(path).isEqualTo(200);
                assertThat(problems(pointer(path, method), JSON.readTree(answer.body())))
                        .as(path)
                        .isEmpty();
            }
        });
    }

    @Test
    void jobsThatAreEnqueuedAndTheAnswerAreAsTheirSchemasSay() throws Exception {
        String jobs =
                """
                [{"class":"A"},{"class":"B::C","args":[1],"queue":"q","at":%d,"retry":3,"tags":["t"]}]\
                """
                        .formatted(WebRig.NOW.getEpochSecond() + 9);
        HttpResponse<String> answer =
                rig.post("/api/v1/jobs", jobs, "Sec-Fetch-Site", "same-origin");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        String pointer = "/paths/~1api~1v1~1jobs/post/requestBody/content/application~1json/schema";
        assertThat(problems(pointer, JSON.readTree(jobs))).isEmpty();
        assertThat(problems(pointer("/api/v1/jobs", "POST"), JSON.readTree(answer.body())))
                .isEmpty();
        assertThat(problems(pointer, JSON.readTree("{\"class\":\"A\",\"jid\":\"1\"}")))
                .isNotEmpty();
    }

    @Test
    void everyErrorIsAsItsSchemaSays() throws Exception {
        for (String path : List.of("/api/v1/none", "/api/v1/dead?x=1", "/api/v1/queues/none")) {
            JsonNode answer = JSON.readTree(rig.get(path).body());
            assertThat(problems("/components/schemas/Error", answer)).as(path).isEmpty();
        }
    }

    @Test
    void aQueryParameterIsTakenWhereTheDescriptionHasItAndNowhereElse() throws Exception {
        Set<String> all = new TreeSet<>();
        for (JsonNode one : file.at("/components/parameters")) {
            if (one.get("in").textValue().equals("query")) {
                all.add(one.get("name").textValue());
            }
        }
        forEachOperation((path, method, operation) -> {
            if (isLive(operation)) {
                return;
            }
            Set<String> here = names(operation, "query");
            for (String name : method.equals("GET") ? all : Set.<String>of()) {
                String value = name.equals("queue") ? "q" : "1";
                int status = rig.get(example(path) + "?" + name + "=" + value).statusCode();
                assertThat(status).as(path + " " + name).isEqualTo(here.contains(name) ? 200 : 400);
            }
        });
    }

    @Test
    void aSchemaThatAnAnswerDoesNotMeetIsNoticed() throws Exception {
        JsonNode odd = JSON.readTree("{\"error\":\"x\",\"more\":1}");
        assertThat(problems("/components/schemas/Error", odd)).isNotEmpty();
        JsonNode queue = JSON.readTree(rig.get("/api/v1/queues/q").body());
        assertThat(problems("/components/schemas/Queue", queue)).isEmpty();
        assertThat(problems("/components/schemas/Process", queue)).isNotEmpty();
    }
}
