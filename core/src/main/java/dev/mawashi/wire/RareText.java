package dev.mawashi.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// A short text that few payloads have. It is looked for by one of its letters, eight bytes at a
/// time, since each job is looked into: some ten nanoseconds for a payload without that letter.
final class RareText {
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private final byte[] text;
    private final int rare;
    private final long letters;

    /// @param text of ASCII
    /// @param rare the place in it of a letter that few other texts have
    RareText(String text, int rare) {
        this.text = text.getBytes(StandardCharsets.US_ASCII);
        this.rare = rare;
        letters = this.text[rare] * ONES;
    }

    /// Whether the text stands anywhere in these bytes.
    boolean isIn(byte[] bytes) {
        int at = 0;
        for (; at + Long.BYTES <= bytes.length; at += Long.BYTES) {
            long others = (long) WORDS.get(bytes, at) ^ letters;
            // A high bit for each letter, and perhaps for a byte behind one.
            long found = (others - ONES) & ~others & HIGHS;
            for (; found != 0; found &= found - 1) {
                if (isAt(bytes, at + Long.numberOfTrailingZeros(found) / Byte.SIZE - rare)) {
                    return true;
                }
            }
        }
        for (; at < bytes.length; at++) {
            if (isAt(bytes, at - rare)) {
                return true;
            }
        }
        return false;
    }

    private boolean isAt(byte[] bytes, int place) {
        if (place < 0 || place + text.length > bytes.length) {
            return false;
        }
        for (int i = 0; i < text.length; i++) {
            if (bytes[place + i] != text[i]) {
                return false;
            }
        }
        return true;
    }
}
