package dev.mawashi.ruby;

import dev.mawashi.wire.Json;
import org.jcodings.specific.UTF8Encoding;
import org.jruby.util.ByteList;

/// The text inside a JSON string that has escapes; a scanner has checked it before.
final class JsonText {
    private JsonText() {}

    /// Decodes the bytes between the quotes. A surrogate without its partner becomes the three
    /// bytes its number has in UTF-8's scheme, as Ruby's `JSON.parse` writes it.
    static ByteList unescape(byte[] source, int start, int end) {
        // Nothing grows: the shortest escape has two bytes and a code unit, with six, gives at most
        // three.
        byte[] text = new byte[end - start];
        int size = 0;
        int at = start;
        while (at < end) {
            byte b = source[at++];
            if (b != '\\') {
                text[size++] = b;
                continue;
            }
            byte kind = source[at++];
            if (kind != 'u') {
                text[size++] = (byte) Json.escaped((char) kind);
                continue;
            }
            int codePoint = unit(source, at);
            at += 4;
            if (isPair(codePoint, source, at, end)) {
                codePoint = Character.toCodePoint((char) codePoint, (char) unit(source, at + 2));
                at += 6;
            }
            size = encode(codePoint, text, size);
        }
        return new ByteList(text, 0, size, UTF8Encoding.INSTANCE, false);
    }

    private static int unit(byte[] source, int at) {
        int unit = 0;
        for (int i = at; i < at + 4; i++) {
            unit = (unit << 4) | Character.digit(source[i], 16);
        }
        return unit;
    }

    private static boolean isPair(int first, byte[] source, int at, int end) {
        return Character.isHighSurrogate((char) first)
                && at + 6 <= end
                && source[at] == '\\'
                && source[at + 1] == 'u'
                && Character.isLowSurrogate((char) unit(source, at + 2));
    }

    private static int encode(int codePoint, byte[] text, int size) {
        int at = size;
        if (codePoint < 0x80) {
            text[at++] = (byte) codePoint;
        } else if (codePoint < 0x800) {
            text[at++] = (byte) (0xc0 | (codePoint >> 6));
            text[at++] = (byte) (0x80 | (codePoint & 0x3f));
        } else if (codePoint < 0x10000) {
            text[at++] = (byte) (0xe0 | (codePoint >> 12));
            text[at++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
            text[at++] = (byte) (0x80 | (codePoint & 0x3f));
        } else {
            text[at++] = (byte) (0xf0 | (codePoint >> 18));
            text[at++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
            text[at++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
            text[at++] = (byte) (0x80 | (codePoint & 0x3f));
        }
        return at;
    }
}
