package dev.mawashi.wire;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Writes and reads the few JSON values that the core itself puts into or takes out of a payload.
public final class Json {
    private Json() {}

    /// Text as a JSON string, quotes included; lone surrogates become U+FFFD. Byte for byte what
    /// Ruby writes, since Sidekiq's API finds an entry to change by its bytes, written anew by
    /// Ruby.
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> append(out, c, text, i);
            }
        }
        return out.append('"').toString();
    }

    private static void append(StringBuilder out, char c, String text, int i) {
        if (c < ' ') {
            out.append("\\u00").append(HexFormat.of().toHexDigits((byte) c));
        } else if (Character.isSurrogate(c) && !isPaired(c, text, i)) {
            out.append('\ufffd');
        } else {
            out.append(c);
        }
    }

    private static boolean isPaired(char c, String text, int i) {
        return Character.isHighSurrogate(c)
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }

    /// The text of a JSON string.
    ///
    /// @param bytes what the string stands in
    /// @param from offset of its opening quote
    /// @param to offset after its closing quote; the string has been scanned before
    public static String unquote(byte[] bytes, int from, int to) {
        String raw = new String(bytes, from + 1, to - from - 2, StandardCharsets.UTF_8);
        return raw.indexOf('\\') < 0 ? raw : unescape(raw);
    }

    /// All escapes in a text resolved, as if it stood within one string. Of what is no escape the
    /// backslash goes.
    static String unescape(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (c != '\\' || i == text.length()) {
                out.append(c);
                continue;
            }
            char kind = text.charAt(i++);
            if (kind == 'u' && isHex(text, i)) {
                out.append((char) Integer.parseInt(text, i, i + 4, 16));
                i += 4;
            } else {
                out.append(escaped(kind));
            }
        }
        return out.toString();
    }

    private static boolean isHex(String text, int from) {
        return from + 4 <= text.length()
                && text.substring(from, from + 4)
                        .chars()
                        .allMatch(c -> Character.digit(c, 16) >= 0);
    }

    /// The character for which an escape of two characters stands.
    ///
    /// @param kind the second of them
    public static char escaped(char kind) {
        return switch (kind) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> kind;
        };
    }
}
