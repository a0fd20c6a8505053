package dev.mawashi.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Checks values by the part of JSON Schema that the schema of `config/mawashi.yml` uses. Any other
/// keyword in it is an error of the test.
final class SchemaWalk {
    private static final Set<String> KEYWORDS =
            Set.of(
                    "$schema",
                    "$defs",
                    "title",
                    "description",
                    "type",
                    "enum",
                    "properties",
                    "additionalProperties",
                    "minimum",
                    "maximum",
                    "exclusiveMinimum",
                    "minLength",
                    "required",
                    "items",
                    "minItems",
                    "maxItems");

    private final Map<String, Object> root;

    SchemaWalk(Map<String, Object> root) {
        this.root = root;
    }

    /// What is wrong with the value; null when nothing is.
    @Nullable String mistake(Map<String, Object> schema, @Nullable Object value) {
        if (schema.get("$ref") instanceof String ref) {
            String name = ref.substring("#/$defs/".length());
            return mistake(map(map(root.get("$defs")).get(name)), value);
        }
        if (!KEYWORDS.containsAll(schema.keySet())) {
            throw new IllegalArgumentException("unknown keyword among " + schema.keySet());
        }
        if (schema.get("enum") instanceof List<?> words && !words.contains(value)) {
            return value + " is not among " + words;
        }
        if (schema.containsKey("type") && !isOf(schema.get("type"), value)) {
            return value + " is no " + schema.get("type");
        }
        return switch (value) {
            case Number number -> range(schema, number.doubleValue());
            case String text when text.length() < (int) schema.getOrDefault("minLength", 0) ->
                    "a text is too short";
            case Map<?, ?> map -> inside(schema, map(map));
            case List<?> list -> inside(schema, list);
            case null, default -> null;
        };
    }

    private static boolean isOf(@Nullable Object type, @Nullable Object value) {
        if (type instanceof List<?> types) {
            return types.stream().anyMatch(one -> isOf(one, value));
        }
        return switch (String.valueOf(type)) {
            case "null" -> value == null;
            case "array" -> value instanceof List;
            case "object" -> value instanceof Map;
            case "string" -> value instanceof String;
            case "number" -> value instanceof Number;
            case "integer" -> value instanceof Integer || value instanceof Long;
            default -> throw new IllegalArgumentException("unknown type " + type);
        };
    }

    private static @Nullable String range(Map<String, Object> schema, double value) {
        boolean isIn =
                value >= limit(schema, "minimum", Double.NEGATIVE_INFINITY)
                        && value <= limit(schema, "maximum", Double.POSITIVE_INFINITY)
                        && value > limit(schema, "exclusiveMinimum", Double.NEGATIVE_INFINITY);
        return isIn ? null : value + " is out of range";
    }

    private static double limit(Map<String, Object> schema, String name, double otherwise) {
        return schema.get(name) instanceof Number number ? number.doubleValue() : otherwise;
    }

    private @Nullable String inside(Map<String, Object> schema, List<?> values) {
        if (values.size() < limit(schema, "minItems", 0)
                || values.size() > limit(schema, "maxItems", Integer.MAX_VALUE)) {
            return "a list of " + values.size();
        }
        for (Object value : values) {
            String mistake = mistake(map(schema.get("items")), value);
            if (mistake != null) {
                return mistake;
            }
        }
        return null;
    }

    private @Nullable String inside(Map<String, Object> schema, Map<String, Object> value) {
        if (schema.get("required") instanceof List<?> keys && !value.keySet().containsAll(keys)) {
            return "one of " + keys + " is missing";
        }
        Map<String, Object> properties = map(schema.getOrDefault("properties", Map.of()));
        for (Map.Entry<String, Object> entry : value.entrySet()) {
            Object inner = properties.get(entry.getKey());
            Object found = inner == null ? schema.get("additionalProperties") : inner;
            String mistake =
                    found instanceof Map<?, ?> part
                            ? mistake(map(part), entry.getValue())
                            : "unknown key " + entry.getKey();
            if (mistake != null) {
                return mistake;
            }
        }
        return null;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }
}
