package dev.mawashi.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The elements of a JSON array, each as the text it stands in; and JSON text on one line.
public final class JsonElements {
    private JsonElements() {}

    /// The elements in their order.
    ///
    /// @throws MalformedPayload unless the text is one JSON array
    public static List<String> of(String array) {
        byte[] bytes = array.getBytes(StandardCharsets.UTF_8);
        JsonScanner scanner = new JsonScanner(bytes);
        List<String> elements = new ArrayList<>();
        scanner.open('[');
        if (!scanner.close(']')) {
            do {
                scanner.peek();
                int from = scanner.position();
                scanner.skipValue();
                elements.add(text(bytes, from, scanner.position()));
            } while (scanner.more(']'));
        }
        scanner.expectEnd();
        return elements;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /// The text of a JSON string, or the JSON itself of any other value.
    public static String plain(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return json.startsWith("\"") ? Json.unquote(bytes, 0, bytes.length) : json;
    }

    /// Valid JSON without the white space between its parts.
    public static String compact(String json) {
        StringBuilder out = new StringBuilder(json.length());
        boolean isInString = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (isInString && c == '\\') {
                out.append(c);
                c = json.charAt(++i);
            } else if (c == '"') {
                isInString = !isInString;
            } else if (!isInString && c <= ' ') {
                continue;
            }
            out.append(c);
        }
        return out.toString();
    }
}
