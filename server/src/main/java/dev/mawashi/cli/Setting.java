package dev.mawashi.cli;

import dev.mawashi.wire.Json;
import dev.mawashi.wire.JsonFields;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An effective setting of a server, as `mawashi config` shows it.
///
/// @param part of the server: `server`, `capsule NAME`, `resque`, `jvm`
/// @param name as flags or files spell it
/// @param value a text, a number, a boolean or a list of texts; null for none. No secret
/// @param unit of a number; "" for none
/// @param from the flag, variable or place in a file that sets it
/// @param reason of a value that nobody has set; "" where there is none to give
record Setting(
        String part, String name, @Nullable Object value, String unit, String from, String reason) {
    /// Where a value comes from that nobody has set.
    static final String DEFAULT = "default";

    /// The value for people.
    String text() {
        String text =
                switch (value) {
                    case null -> "none";
                    case Number number -> plain(number);
                    case List<?> list ->
                            list.stream().map(String::valueOf).collect(Collectors.joining(", "));
                    default -> value.toString();
                };
        return unit.isEmpty() || value == null ? text : text + " " + unit;
    }

    private static String plain(Number number) {
        return new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
    }

    String origin() {
        return reason.isEmpty() ? from : from + ": " + reason;
    }

    String json() {
        JsonFields fields = new JsonFields().text("part", part).text("name", name);
        switch (value) {
            case null -> fields.text("value", null);
            case Number number -> fields.json("value", plain(number));
            case Boolean flag -> fields.flag("value", flag);
            case List<?> list -> fields.texts("value", list.stream().map(String::valueOf).toList());
            default -> fields.json("value", Json.quote(value.toString()));
        }
        return fields.known("unit", unit).text("from", from).known("reason", reason).toString();
    }
}
