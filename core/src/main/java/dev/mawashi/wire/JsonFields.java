package dev.mawashi.wire;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes a JSON object on one line, its fields in the order in which they are given.
public final class JsonFields {
    private final StringBuilder out = new StringBuilder("{");

    /// @param value null is written as `null`
    public JsonFields text(String name, @Nullable String value) {
        return json(name, value == null ? "null" : Json.quote(value));
    }

    /// The same where an empty text says that nothing is known.
    public JsonFields known(String name, @Nullable String value) {
        return text(name, value == null || value.isEmpty() ? null : value);
    }

    public JsonFields texts(String name, List<String> values) {
        return json(
                name, values.stream().map(Json::quote).collect(Collectors.joining(",", "[", "]")));
    }

    public JsonFields number(String name, long value) {
        return json(name, Long.toString(value));
    }

    /// Seconds with three places.
    public JsonFields seconds(String name, double value) {
        return json(name, String.format(Locale.ROOT, "%.3f", value));
    }

    public JsonFields flag(String name, boolean value) {
        return json(name, Boolean.toString(value));
    }

    public JsonFields time(String name, Optional<Instant> value) {
        return known(name, value.map(Instant::toString).orElse(""));
    }

    /// @param value JSON itself
    public JsonFields json(String name, String value) {
        out.append(out.length() > 1 ? "," : "").append(Json.quote(name)).append(':').append(value);
        return this;
    }

    /// @param value what others say is JSON; anything else is written as `null`
    public JsonFields checked(String name, String value) {
        byte[] object = ("{\"a\":" + value + "}").getBytes(StandardCharsets.UTF_8);
        Payload read = Payload.tryParse(object);
        return json(name, read != null && value.equals(read.raw("a")) ? value : "null");
    }

    public JsonFields array(String name, List<String> elements) {
        return json(name, "[" + String.join(",", elements) + "]");
    }

    /// The object so far.
    @Override
    public String toString() {
        return out + "}";
    }
}
