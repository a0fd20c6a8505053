package dev.mawashi.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A job's payload as its top-level fields: where each value begins and ends in the bytes.
///
/// Reading builds only what is asked for. Changing a field leaves every other byte as it was: key
/// order, unknown fields, spacing and the spelling of numbers survive.
public final class Payload {
    /// So many digits and a sign always fit.
    private static final int DIGITS_OF_A_LONG = 18;

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final byte[] bytes;
    private final FieldTable fields;
    private final int closingBrace;

    private Payload(byte[] bytes, FieldTable fields, int closingBrace) {
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
        FieldTable fields = new FieldTable(bytes);
        scanner.open('{');
        if (!scanner.close('}')) {
            do {
                readField(scanner, fields);
            } while (scanner.more('}'));
        }
        int closingBrace = scanner.position() - 1;
        scanner.expectEnd();
        return new Payload(bytes, fields, closingBrace);
    }

    /// Scans all of the bytes; null when they are no payload.
    public static @Nullable Payload tryParse(byte[] bytes) {
        try {
            return parse(bytes);
        } catch (MalformedPayload _) {
            return null;
        }
    }

    private static void readField(JsonScanner scanner, FieldTable fields) {
        scanner.peek();
        int nameFrom = scanner.position();
        boolean isEscaped = scanner.skipString();
        int nameTo = scanner.position();
        scanner.expect(':');
        scanner.peek();
        int from = scanner.position();
        scanner.skipValue();
        fields.add(nameFrom, nameTo, isEscaped, from, scanner.position());
    }

    /// The names of its fields, in their order.
    public List<String> names() {
        return IntStream.range(0, fields.size()).mapToObj(fields::name).toList();
    }

    /// A field's value as JSON text; null when there is no such field.
    public @Nullable String raw(String field) {
        int at = fields.find(field);
        if (at < 0) {
            return null;
        }
        int from = fields.from(at);
        return new String(bytes, from, fields.to(at) - from, StandardCharsets.UTF_8);
    }

    /// How many bytes a field's value has; 0 when there is no such field.
    public int length(String field) {
        int at = fields.find(field);
        return at < 0 ? 0 : fields.to(at) - fields.from(at);
    }

    /// A field's value as JSON in its bytes; none when there is no such field.
    public byte[] value(String field) {
        int at = fields.find(field);
        return at < 0 ? new byte[0] : Arrays.copyOfRange(bytes, fields.from(at), fields.to(at));
    }

    /// The beginning of a field's value, so many bytes at most; "" when there is no such field.
    public String start(String field, int most) {
        int at = fields.find(field);
        return at < 0
                ? ""
                : new String(
                        bytes,
                        fields.from(at),
                        Math.min(most, fields.to(at) - fields.from(at)),
                        StandardCharsets.UTF_8);
    }

    /// Whether these bytes stand in a field's value, as it is written.
    public boolean has(String field, byte[] wanted) {
        int at = fields.find(field);
        return at >= 0 && ByteSearch.isIn(bytes, fields.from(at), fields.to(at), wanted);
    }

    /// The payload with `null` for each value of more bytes than that, and without the fields
    /// behind the one with which it has more than `bytesMax`.
    public byte[] shortened(int valueMax, int bytesMax) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write('{');
        for (int at = 0; at < fields.size() && out.size() <= bytesMax; at++) {
            String name = Json.quote(fields.name(at));
            int length = fields.to(at) - fields.from(at);
            if (name.length() <= valueMax) {
                out.writeBytes(
                        ((out.size() > 1 ? "," : "") + name + ":")
                                .getBytes(StandardCharsets.UTF_8));
                if (length > valueMax) {
                    out.writeBytes(NULL);
                } else {
                    out.write(bytes, fields.from(at), length);
                }
            }
        }
        out.write('}');
        return out.toByteArray();
    }

    /// Where a field's value begins in the bytes; -1 when there is no such field.
    public int offset(String field) {
        int at = fields.find(field);
        return at < 0 ? -1 : fields.from(at);
    }

    /// A field's text; null when it is absent or not a string.
    public @Nullable String text(String field) {
        int at = fields.find(field);
        return at < 0 || bytes[fields.from(at)] != '"'
                ? null
                : Json.unquote(bytes, fields.from(at), fields.to(at));
    }

    /// The class that the app wrote: ActiveJob has its own in `class`, and the app's in `wrapped`;
    /// null when neither is a text.
    public @Nullable String jobClass() {
        String wrapped = text("wrapped");
        return wrapped == null ? text("class") : wrapped;
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
        // It must not grow, since it would double.
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + room(changes));
        int copied = 0;
        for (int at = 0; at < fields.size(); at++) {
            String value = changes.get(fields.name(at));
            if (value != null) {
                out.write(bytes, copied, fields.from(at) - copied);
                out.writeBytes(value.getBytes(StandardCharsets.UTF_8));
                copied = fields.to(at);
            }
        }
        out.write(bytes, copied, closingBrace - copied);
        boolean isEmpty = fields.size() == 0;
        for (Map.Entry<String, String> change : changes.entrySet()) {
            if (fields.find(change.getKey()) < 0) {
                String field = (isEmpty ? "" : ",") + Json.quote(change.getKey()) + ":";
                out.writeBytes((field + change.getValue()).getBytes(StandardCharsets.UTF_8));
                isEmpty = false;
            }
        }
        out.write(bytes, closingBrace, bytes.length - closingBrace);
        return out.toByteArray();
    }

    /// No less than what the changes take: a character has three bytes at most.
    private static int room(Map<String, String> changes) {
        int room = 0;
        for (Map.Entry<String, String> change : changes.entrySet()) {
            room += 6 * change.getKey().length() + 3 * change.getValue().length() + 4;
        }
        return room;
    }
}
