package dev.mawashi.wire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes a JSON object on one line, its fields in the order in which they are given. `JsonObject`
/// reads one.
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
        return decimal(name, value, 3);
    }

    public JsonFields seconds(String name, Duration value) {
        return seconds(name, value.toMillis() / 1_000.0);
    }

    /// So many places after the point.
    public JsonFields decimal(String name, double value, int places) {
        return json(name, String.format(Locale.ROOT, "%." + places + "f", value));
    }

    /// The same; `null` where there is none.
    public JsonFields decimal(String name, OptionalDouble value, int places) {
        return value.isPresent() ? decimal(name, value.getAsDouble(), places) : json(name, "null");
    }

    /// @param value empty is written as `null`
    public JsonFields optional(String name, OptionalLong value) {
        return json(name, value.isPresent() ? Long.toString(value.getAsLong()) : "null");
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

    public JsonFields object(String name, JsonFields value) {
        return json(name, value.toString());
    }

    /// @param elements JSON themselves
    public JsonFields array(String name, List<String> elements) {
        return json(name, array(elements));
    }

    /// An array by itself.
    ///
    /// @param elements JSON themselves
    public static String array(List<String> elements) {
        return "[" + String.join(",", elements) + "]";
    }

    /// The fields of another object, as they stand there.
    ///
    /// @param object JSON that begins and ends with its braces
    public JsonFields all(String object) {
        String fields = object.substring(1, object.length() - 1);
        out.append(isEmpty() || fields.isEmpty() ? "" : ",").append(fields);
        return this;
    }

    public boolean isEmpty() {
        return out.length() == 1;
    }

    /// The object so far.
    @Override
    public String toString() {
        int end = out.length();
        String text = out.append('}').toString();
        out.setLength(end);
        return text;
    }
}
