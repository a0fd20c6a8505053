package dev.mawashi.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A job's payload as its top-level fields: where each value begins and ends in the bytes.
///
/// Reading builds only what is asked for. Changing a field leaves every other byte as it was: key
/// order, unknown fields, spacing and the spelling of numbers survive.
public final class Payload {
    /// So many digits and a sign always fit.
    private static final int DIGITS_OF_A_LONG = 18;

    private final byte[] bytes;
    private final Map<String, Range> fields;
    private final int closingBrace;

    private record Range(int from, int to) {}

    private Payload(byte[] bytes, Map<String, Range> fields, int closingBrace) {
        this.bytes = bytes;
        this.fields = fields;
        this.closingBrace = closingBrace;
    }

    /// Scans all of the bytes.
    ///
    /// @throws MalformedPayload unless they are one JSON object without a field given twice
    public static Payload parse(byte[] bytes) {
        JsonScanner scanner = new JsonScanner(bytes);
        if (scanner.peek() != '{') {
            scanner.skipValue();
            throw new MalformedPayload("payload is not a JSON object");
        }
        Map<String, Range> fields = new LinkedHashMap<>();
        scanner.open('{');
        if (!scanner.close('}')) {
            do {
                readField(bytes, scanner, fields);
            } while (scanner.more('}'));
        }
        int closingBrace = scanner.position() - 1;
        scanner.expectEnd();
        return new Payload(bytes, fields, closingBrace);
    }

    private static void readField(byte[] bytes, JsonScanner scanner, Map<String, Range> fields) {
        scanner.peek();
        int nameFrom = scanner.position();
        scanner.skipString();
        String name = Json.unquote(bytes, nameFrom, scanner.position());
        scanner.expect(':');
        scanner.peek();
        int from = scanner.position();
        scanner.skipValue();
        if (fields.put(name, new Range(from, scanner.position())) != null) {
            throw new MalformedPayload("field \"" + name + "\" stands in the payload twice");
        }
    }

    /// A field's value as JSON text; null when there is no such field.
    public @Nullable String raw(String field) {
        Range range = fields.get(field);
        return range == null
                ? null
                : new String(
                        bytes, range.from(), range.to() - range.from(), StandardCharsets.UTF_8);
    }

    /// Where a field's value begins in the bytes; -1 when there is no such field.
    public int offset(String field) {
        Range range = fields.get(field);
        return range == null ? -1 : range.from();
    }

    /// A field's text; null when it is absent or not a string.
    public @Nullable String text(String field) {
        Range range = fields.get(field);
        return range == null || bytes[range.from()] != '"'
                ? null
                : Json.unquote(bytes, range.from(), range.to());
    }

    /// A field's value when it is a JSON integer; one too large for an `int` counts as the largest.
    public OptionalInt integer(String field) {
        String raw = raw(field);
        if (raw == null || !raw.matches("-?\\d+")) {
            return OptionalInt.empty();
        }
        boolean isNegative = raw.charAt(0) == '-';
        long value =
                raw.length() <= DIGITS_OF_A_LONG
                        ? Long.parseLong(raw)
                        : isNegative ? Long.MIN_VALUE : Long.MAX_VALUE;
        return OptionalInt.of(Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    public boolean isTrue(String field) {
        return "true".equals(raw(field));
    }

    public boolean isFalse(String field) {
        return "false".equals(raw(field));
    }

    /// True when the field is there and not null or false, as Ruby sees it.
    public boolean isTruthy(String field) {
        String raw = raw(field);
        return raw != null && !raw.equals("null") && !raw.equals("false");
    }

    /// The payload with some fields changed.
    ///
    /// @param changes field name to JSON text; a field that is new goes to the end, in the map's
    ///   order
    public byte[] with(Map<String, String> changes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 512);
        int copied = 0;
        for (Map.Entry<String, Range> field : fields.entrySet()) {
            String value = changes.get(field.getKey());
            if (value != null) {
                out.write(bytes, copied, field.getValue().from() - copied);
                out.writeBytes(value.getBytes(StandardCharsets.UTF_8));
                copied = field.getValue().to();
            }
        }
        out.write(bytes, copied, closingBrace - copied);
        boolean isEmpty = fields.isEmpty();
        for (Map.Entry<String, String> change : changes.entrySet()) {
            if (!fields.containsKey(change.getKey())) {
                String field = (isEmpty ? "" : ",") + Json.quote(change.getKey()) + ":";
                out.writeBytes((field + change.getValue()).getBytes(StandardCharsets.UTF_8));
                isEmpty = false;
            }
        }
        out.write(bytes, closingBrace, bytes.length - closingBrace);
        return out.toByteArray();
    }
}
