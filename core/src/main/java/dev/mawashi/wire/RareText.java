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
            if (((others - ONES) & ~others & HIGHS) != 0 && isAround(bytes, at)) {
                return true;
            }
        }
        return isAround(bytes, at);
    }

    /// Whether the text has its letter among the eight bytes.
    private boolean isAround(byte[] bytes, int at) {
        int from = Math.max(0, at - rare);
        int to = Math.min(bytes.length, at + Long.BYTES + text.length);
        return ByteSearch.isIn(bytes, from, to, text);
    }
}
