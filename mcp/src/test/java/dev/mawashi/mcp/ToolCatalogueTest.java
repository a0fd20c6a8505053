package dev.mawashi.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.api.Api;
import dev.mawashi.http.Access;
import dev.mawashi.http.Role;
import dev.mawashi.redis.RedisAddress;
import dev.mawashi.web.ProgramRoutes;
import dev.mawashi.web.WebSettings;
import dev.mawashi.wire.ResqueKeys;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The tools are the API's operations.
final class ToolCatalogueTest {
    private static final JsonNode API = JsonMapper.shared().readTree(Api.description());

    /// Nothing is read, so no Redis has to be there.
    private final ProgramRoutes routes =
            new ProgramRoutes(
                    new WebSettings(
                            Access.of("0", Map.of()),
                            RedisAddress.parse("redis://127.0.0.1:1/0"),
                            ResqueKeys.DEFAULT,
                            "9.9.9"),
                    InstantSource.system());

    private final List<ApiTool> tools = ToolCatalogue.of(Api.description(), routes.routes());

    @AfterEach
    void close() {
        routes.close();
    }

    private static Set<String> operations(String method) {
        Set<String> names = new TreeSet<>();
        API.get("paths")
                .properties()
                .forEach(path -> {
                    JsonNode operation = path.getValue().path(method);
                    if (operation.isObject()) {
                        names.add(operation.path("operationId").asString("none: " + path.getKey()));
                    }
                });
        return names;
    }

    private ApiTool tool(String name) {
        return tools.stream().filter(tool -> tool.name().equals(name)).findFirst().orElseThrow();
    }

    private static Map<?, ?> properties(ApiTool tool) {
        return (Map<?, ?>) Objects.requireNonNull(tool.input().get("properties"));
    }

    @Test
    void eachReadOfTheApiIsAToolOrLeftOutWithAReason() {
        Set<String> reads =
                tools.stream()
                        .filter(tool -> !tool.isAct())
                        .map(ApiTool::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(reads).doesNotContainAnyElementsOf(ToolCatalogue.LEFT_OUT.keySet());
        reads.addAll(ToolCatalogue.LEFT_OUT.keySet());
        assertThat(reads).isEqualTo(operations("get")).hasSizeGreaterThan(25);
        assertThat(ToolCatalogue.LEFT_OUT.values()).allMatch(reason -> !reason.isBlank());
    }

    @Test
    void eachActOfTheApiIsAToolOfAnOperatorOrAnAdmin() {
        Set<String> acts =
                tools.stream()
                        .filter(ApiTool::isAct)
                        .map(ApiTool::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(acts).isEqualTo(operations("post")).hasSizeGreaterThan(25);
        assertThat(tools)
                .allSatisfy(tool -> {
                    assertThat(tool.isAllowed(Role.VIEWER))
                            .as(tool.name())
                            .isEqualTo(!tool.isAct());
                    assertThat(tool.isAllowed(Role.ADMIN)).as(tool.name()).isTrue();
                });
        assertThat(tool("retry_dead").isAllowed(Role.OPERATOR)).isTrue();
        assertThat(tool("clear_dead").isAllowed(Role.OPERATOR)).isFalse();
        assertThat(tool("clear_dead").isDestructive()).isTrue();
    }

    @Test
    void eachToolHasAnArgumentForEachNameInItsPathAndEachParameter() {
        for (ApiTool tool : tools) {
            Map<?, ?> properties = properties(tool);
            Set<String> inPath =
                    Pattern.compile("\\{(.*?)}")
                            .matcher(tool.route().template())
                            .results()
                            .map(found -> found.group(1))
                            .collect(Collectors.toSet());
            assertThat(properties.keySet().stream().map(Object::toString))
                    .as(tool.name())
                    .containsAll(inPath)
                    .containsAll(tool.places().keySet());
            assertThat((List<?>) tool.input().get("required"))
                    .as(tool.name())
                    .map(Object::toString)
                    .containsAll(inPath);
            assertThat(tool.places().values()).isSubsetOf("path", "query", "header");
        }
    }

    @Test
    void aToolsSchemaIsWholeAndItsTextsHaveLimits() {
        assertThat(tools)
                .allSatisfy(tool -> {
                    assertThat(tool.name()).matches("[a-z_]{1,64}");
                    assertThat(tool.description()).endsWith(".").doesNotContain("percent-encoded");
                    assertThat(tool.input()).containsEntry("additionalProperties", false);
                    assertThat(tool.input().toString())
                            .as(tool.name())
                            .doesNotContain("$ref", "percent-encoded");
                });
        Map<?, ?> properties = properties(tool("list_queue_jobs"));
        assertThat(String.valueOf(properties.get("name")))
                .isEqualTo("{type=string, maxLength=1000, description=the queue's name}");
        assertThat(String.valueOf(properties.get("limit"))).contains("maximum=1000");
    }

    @Test
    void anOperationWithoutARouteIsAMistakeOfOurs() {
        assertThatThrownBy(() -> ToolCatalogue.of(Api.description(), List.of()))
                .hasMessageContaining("no route GET /api/v1/stats");
    }
}
