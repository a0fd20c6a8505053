package dev.mawashi.api;

import dev.mawashi.wire.JsonFields;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Parts of lists as JSON, each with the address of the next one.
final class ListParts {
    private ListParts() {}

    /// @param path of the list
    /// @param total all that the list has
    /// @param looked how many were looked at up to this part's end
    /// @param among how many there are to look at
    /// @param jobs each as JSON
    /// @param next query of the next part's address; "" at the end
    static String json(
            String path, long total, long looked, long among, List<String> jobs, String next) {
        return new JsonFields()
                .number("total", total)
                .number("looked", looked)
                .number("among", among)
                .array("jobs", jobs)
                .known("next", next.isEmpty() ? "" : path + next)
                .toString();
    }

    static String query(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&", "?", ""));
    }

    /// A name or a value as a part of an address. One of dots alone would mean another path.
    static String encoded(String text) {
        String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
        return encoded.matches("\\.{1,2}") ? encoded.replace(".", "%2E") : encoded;
    }
}
