package dev.mawashi.wire;

import java.nio.charset.StandardCharsets;

/// Goes through JSON and writes it anew on one line, with other values in the place of some. Of
/// values that are copied all bytes but white space stay as they are. One thread's.
final class JsonWriter {
    private final byte[] json;
    private final JsonScanner scanner;
    private final StringBuilder out = new StringBuilder();

    JsonWriter(byte[] json) {
        this.json = json;
        scanner = new JsonScanner(json);
    }

    /// Writes the value of a field; must write one.
    interface FieldWriting {
        void write(String name, JsonWriter writer);
    }

    /// Writes an element of an array; must write one.
    interface ElementWriting {
        void write(int place, JsonWriter writer);
    }

    boolean isObject() {
        return scanner.peek() == '{';
    }

    boolean isArray() {
        return scanner.peek() == '[';
    }

    /// @throws MalformedPayload unless an object is next
    void object(FieldWriting fields) {
        scanner.open('{');
        out.append('{');
        if (!scanner.close('}')) {
            boolean isFirst = true;
            do {
                out.append(isFirst ? "" : ",");
                isFirst = false;
                scanner.peek();
                int from = scanner.position();
                boolean _ = scanner.skipString();
                String name = Json.unquote(json, from, scanner.position());
                out.append(text(from)).append(':');
                scanner.expect(':');
                fields.write(name, this);
            } while (scanner.more('}'));
        }
        out.append('}');
    }

    /// @throws MalformedPayload unless an array is next
    void array(ElementWriting elements) {
        scanner.open('[');
        out.append('[');
        if (!scanner.close(']')) {
            int place = 0;
            do {
                out.append(place == 0 ? "" : ",");
                elements.write(place++, this);
            } while (scanner.more(']'));
        }
        out.append(']');
    }

    /// Writes the next value as it is.
    void copy() {
        scanner.peek();
        int from = scanner.position();
        scanner.skipValue();
        out.append(JsonElements.compact(text(from)));
    }

    /// Writes another in the place of the next value.
    void replace(String value) {
        scanner.skipValue();
        out.append(value);
    }

    private String text(int from) {
        return new String(json, from, scanner.position() - from, StandardCharsets.UTF_8);
    }

    /// What was written.
    ///
    /// @throws MalformedPayload when something follows the value
    String end() {
        scanner.expectEnd();
        return out.toString();
    }
}
