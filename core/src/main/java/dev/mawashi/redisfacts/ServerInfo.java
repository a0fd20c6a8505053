package dev.mawashi.redisfacts;

import dev.mawashi.redis.RedisConnection;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The answer of Redis to `INFO`, by field.
record ServerInfo(Map<String, String> fields) {
    ServerInfo {
        fields = Map.copyOf(fields);
    }

    /// @throws dev.mawashi.redis.RedisFailure when it does not answer, or refuses
    static ServerInfo of(RedisConnection connection) {
        Map<String, String> fields = new HashMap<>();
        String text =
                connection.call("INFO") instanceof byte[] bytes
                        ? new String(bytes, StandardCharsets.UTF_8)
                        : "";
        for (String line : text.split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return new ServerInfo(fields);
    }

    /// A field's text; "" when there is none.
    String text(String field) {
        return fields.getOrDefault(field, "");
    }

    /// A field that is a whole number from 0 on; null when it is none.
    @Nullable Long number(String field) {
        String text = text(field);
        return text.matches("\\d{1,18}") ? Long.valueOf(text) : null;
    }

    /// The same, 0 when it is none.
    long count(String field) {
        Long number = number(field);
        return number == null ? 0 : number;
    }

    /// A field that is a number with a fraction; 0 when it is none.
    double ratio(String field) {
        String text = text(field);
        return text.matches("\\d{1,15}(\\.\\d{1,15})?") ? Double.parseDouble(text) : 0;
    }
}
