package dev.mawashi.inspect;

import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
import dev.mawashi.wire.Payload;
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

/// A JSON object as a process has written it, read leniently: what is not there, or is of another
/// kind than expected, counts as not told.
final class Fields {
    private static final Fields NONE = new Fields(null);

    private final @Nullable Payload object;

    private Fields(@Nullable Payload object) {
        this.object = object;
    }

    static Fields of(@Nullable String json) {
        return json == null
                ? NONE
                : new Fields(Payload.tryParse(json.getBytes(StandardCharsets.UTF_8)));
    }

    /// Whether it is an object at all.
    boolean isThere() {
        return object != null;
    }

    private @Nullable String raw(String field) {
        return object == null ? null : object.raw(field);
    }

    String text(String field) {
        return object == null ? "" : Objects.requireNonNullElse(object.text(field), "");
    }

    boolean isTrue(String field) {
        return object != null && object.isTrue(field);
    }

    long number(String field) {
        return optional(field).orElse(0);
    }

    OptionalLong optional(String field) {
        String raw = raw(field);
        return raw != null && raw.matches("-?\\d{1,18}")
                ? OptionalLong.of(Long.parseLong(raw))
                : OptionalLong.empty();
    }

    OptionalDouble decimal(String field) {
        String raw = raw(field);
        return raw != null && raw.matches("-?\\d{1,15}(\\.\\d{1,15})?")
                ? OptionalDouble.of(Double.parseDouble(raw))
                : OptionalDouble.empty();
    }

    Optional<Instant> instant(String field) {
        try {
            return text(field).isEmpty()
                    ? Optional.empty()
                    : Optional.of(Instant.parse(text(field)));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    Fields object(String field) {
        return of(raw(field));
    }

    List<Fields> objects(String field) {
        return elements(raw(field)).stream().map(Fields::of).toList();
    }

    List<String> texts(String field) {
        return elements(raw(field)).stream().map(JsonElements::plain).toList();
    }

    /// The elements of a JSON array; none when it is no array.
    static List<String> elements(@Nullable String array) {
        try {
            return array == null ? List.of() : JsonElements.of(array);
        } catch (MalformedPayload _) {
            return List.of();
        }
    }

    /// Those of these fields that are there, as plain text.
    Map<String, String> plain(List<String> names) {
        Map<String, String> found = new TreeMap<>();
        for (String name : names) {
            String raw = raw(name);
            if (raw != null) {
                found.put(name, JsonElements.plain(raw));
            }
        }
        return found;
    }
}
