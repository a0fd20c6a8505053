package dev.mawashi.inspect;

import dev.mawashi.wire.JsonElements;
import dev.mawashi.wire.MalformedPayload;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// The field `error_backtrace` (docs/formats/sidekiq.md): a JSON array, packed by zlib and Base64
/// since Sidekiq 6.
final class Backtrace {
    /// A backtrace of more bytes is cut here.
    private static final int BYTES_MAX = 1 << 20;

    private Backtrace() {}

    /// @param field its text, or its JSON when it is no string
    /// @return the lines; none when it cannot be read
    static List<String> lines(String field) {
        if (field.isEmpty()) {
            return List.of();
        }
        try {
            String array = field.startsWith("[") ? field : unpacked(field);
            return JsonElements.of(array).stream().map(JsonElements::plain).toList();
        } catch (MalformedPayload | IllegalArgumentException | DataFormatException _) {
            return List.of();
        }
    }

    private static String unpacked(String field) throws DataFormatException {
        byte[] room = new byte[BYTES_MAX];
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(Base64.getMimeDecoder().decode(field));
            int bytes = inflater.inflate(room);
            return new String(room, 0, bytes, StandardCharsets.UTF_8);
        } finally {
            inflater.end();
        }
    }
}
