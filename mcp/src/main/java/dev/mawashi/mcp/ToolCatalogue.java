package dev.mawashi.mcp;

import dev.mawashi.http.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes a tool of each operation that the API's description has: the name is its `operationId`,
/// the arguments are its parameters and the fields of its body.
final class ToolCatalogue {
    /// Operations that are no tools, with the reason.
    static final Map<String, String> LEFT_OUT =
            Map.of(
                    "describe_api", "the list of tools describes the same",
                    "follow_live", "it is a stream without end",
                    "show_history", "only a process that serves pages keeps it");

    /// Longest text of a parameter, as of a field.
    private static final int TEXT_MAX = 1_000;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final JsonNode description;
    private final List<Route> routes;

    private ToolCatalogue(JsonNode description, List<Route> routes) {
        this.description = description;
        this.routes = routes;
    }

    /// @param description of the API, in OpenAPI
    /// @param routes that answer its operations
    static List<ApiTool> of(byte[] description, List<Route> routes) {
        return new ToolCatalogue(JSON.readTree(description), routes).tools();
    }

    private List<ApiTool> tools() {
        List<ApiTool> tools = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : description.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
                String method = operation.getKey().toUpperCase(Locale.ROOT);
                if (!LEFT_OUT.containsKey(text(operation.getValue(), "operationId"))) {
                    tools.add(tool(operation.getValue(), route(method, path.getKey())));
                }
            }
        }
        return tools;
    }

    private Route route(String method, String template) {
        return routes.stream()
                .filter(one -> one.method().equals(method) && one.template().equals(template))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("no route " + method + " " + template));
    }

    private ApiTool tool(JsonNode operation, Route route) {
        JsonNode body = body(operation);
        List<String> sentences = new ArrayList<>();
        for (String one :
                List.of(
                        text(operation, "summary"),
                        text(operation, "description"),
                        text(body, "description"))) {
            if (!one.isEmpty()) {
                sentences.add(one.endsWith(".") ? one : one + ".");
            }
        }
        Map<String, String> places = new HashMap<>();
        ObjectNode input = input(operation, body, places);
        return new ApiTool(
                text(operation, "operationId"),
                text(operation, "summary"),
                String.join(" ", sentences),
                asMap(input),
                route,
                places);
    }

    /// The schema of a request's body, of one thing where it may be a list too.
    private JsonNode body(JsonNode operation) {
        JsonNode schema = resolved(operation.at("/requestBody/content/application~1json/schema"));
        return schema.has("oneOf") ? resolved(schema.get("oneOf").get(0)) : schema;
    }

    private JsonNode resolved(JsonNode node) {
        String reference = text(node, "$ref");
        return reference.isEmpty() ? node : description.at(reference.substring(1));
    }

    private ObjectNode input(JsonNode operation, JsonNode body, Map<String, String> places) {
        ObjectNode properties = JSON.createObjectNode();
        ArrayNode required = JSON.createArrayNode();
        for (JsonNode given : operation.path("parameters")) {
            JsonNode parameter = resolved(given);
            String name = text(parameter, "name");
            places.put(name, text(parameter, "in"));
            add(properties, name, schema(parameter));
            if (parameter.path("required").asBoolean(false)) {
                required.add(name);
            }
        }
        body.path("properties")
                .properties()
                .forEach(field -> {
                    add(properties, field.getKey(), field.getValue());
                });
        body.path("required").forEach(required::add);
        ObjectNode input = JSON.createObjectNode().put("type", "object");
        input.set("properties", properties);
        input.set("required", required);
        return input.put("additionalProperties", false);
    }

    private static void add(ObjectNode properties, String name, JsonNode schema) {
        if (properties.has(name)) {
            throw new IllegalStateException("two arguments of the name " + name);
        }
        properties.set(name, schema);
    }

    /// A parameter's schema with its description, which an address would have percent-encoded.
    private static ObjectNode schema(JsonNode parameter) {
        ObjectNode schema = parameter.get("schema").deepCopy().asObject();
        boolean isFree = !schema.has("enum") && !schema.has("pattern");
        if (text(schema, "type").equals("string") && isFree) {
            schema.put("maxLength", TEXT_MAX);
        }
        return schema.put(
                "description", text(parameter, "description").replace(", percent-encoded", ""));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    @SuppressWarnings("unchecked") // the names in an object are texts
    private static Map<String, Object> asMap(ObjectNode node) {
        return JSON.convertValue(node, Map.class);
    }
}
