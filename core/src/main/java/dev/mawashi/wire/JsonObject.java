package dev.mawashi.wire;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads a JSON object leniently: what is not there, or is of another kind than expected, counts as
/// not reported. `JsonFields` writes one.
public final class JsonObject {
    private static final JsonObject NONE = new JsonObject(null);

    private final @Nullable Payload object;

    private JsonObject(@Nullable Payload object) {
        this.object = object;
    }

    /// @param json null for none
    public static JsonObject of(@Nullable String json) {
        return json == null ? NONE : of(json.getBytes(StandardCharsets.UTF_8));
    }

    public static JsonObject of(byte[] json) {
        return new JsonObject(Payload.tryParse(json));
    }

    /// Whether it is an object at all.
    public boolean isThere() {
        return object != null;
    }

    /// A value as it stands there; null when it does not.
    public @Nullable String raw(String field) {
        return object == null ? null : object.raw(field);
    }

    public String text(String field) {
        return object == null ? "" : Objects.requireNonNullElse(object.text(field), "");
    }

    public boolean isTrue(String field) {
        return object != null && object.isTrue(field);
    }

    public long number(String field) {
        return optional(field).orElse(0);
    }

    public OptionalLong optional(String field) {
        String raw = raw(field);
        return raw != null && raw.matches("-?\\d{1,18}")
                ? OptionalLong.of(Long.parseLong(raw))
                : OptionalLong.empty();
    }

    public OptionalDouble decimal(String field) {
        String raw = raw(field);
        return raw != null && raw.matches("-?\\d{1,15}(\\.\\d{1,15})?")
                ? OptionalDouble.of(Double.parseDouble(raw))
                : OptionalDouble.empty();
    }

    public Optional<Instant> instant(String field) {
        try {
            return text(field).isEmpty()
                    ? Optional.empty()
                    : Optional.of(Instant.parse(text(field)));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    public JsonObject object(String field) {
        return of(raw(field));
    }

    public List<JsonObject> objects(String field) {
        return elements(raw(field)).stream().map(JsonObject::of).toList();
    }

    public List<String> texts(String field) {
        return elements(raw(field)).stream().map(JsonElements::plain).toList();
    }

    /// The elements of a JSON array; none when it is no array.
    public static List<String> elements(@Nullable String array) {
        try {
            return array == null ? List.of() : JsonElements.of(array);
        } catch (MalformedPayload _) {
            return List.of();
        }
    }

    /// Those of these fields that are there, as plain text.
    public Map<String, String> plain(List<String> names) {
        Map<String, String> found = new TreeMap<>();
        for (String name : names) {
            String raw = raw(name);
            if (raw != null) {
                found.put(name, JsonElements.plain(raw));
            }
        }
        return found;
    }

    /// Those of these fields that are there and numbers.
    public Map<String, Long> numbers(List<String> names) {
        Map<String, Long> found = new TreeMap<>();
        for (String name : names) {
            optional(name).ifPresent(number -> found.put(name, number));
        }
        return found;
    }
}
