package dev.mawashi.ruby.lines;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A search for one byte, eight at a time, which learns on its way whether all it has passed is
/// ASCII. JRuby's own search goes byte by byte, and looks at every byte of a line once more to
/// learn that.
final class LineEndSearch {
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private final int wanted;
    private final long pattern;
    private long seen;

    /// @param wanted the byte, from 0 to 255
    LineEndSearch(int wanted) {
        this.wanted = wanted;
        pattern = wanted * ONES;
    }

    int wanted() {
        return wanted;
    }

    /// Begins anew with what it has learnt.
    void forget() {
        seen = wanted;
    }

    /// Whether all that was passed since `forget`, the byte itself included, is ASCII.
    boolean hasPassedOnlyAscii() {
        return (seen & HIGHS) == 0;
    }

    /// @return the index of the first one in `bytes[from, to)`, else -1
    int find(byte[] bytes, int from, int to) {
        long passed = 0;
        int at = from;
        for (int last = to - Long.BYTES; at <= last; at += Long.BYTES) {
            long word = (long) WORDS.get(bytes, at);
            // The lowest high bit that is set belongs to the first byte that is zero.
            long other = word ^ pattern;
            long zeros = (other - ONES) & ~other & HIGHS;
            if (zeros != 0) {
                int bits = Long.numberOfTrailingZeros(zeros) & -Byte.SIZE;
                seen |= passed | (word & ~(-1L << bits));
                return at + bits / Byte.SIZE;
            }
            passed |= word;
        }
        for (; at < to; at++) {
            if (Byte.toUnsignedInt(bytes[at]) == wanted) {
                seen |= passed;
                return at;
            }
            passed |= bytes[at];
        }
        seen |= passed;
        return -1;
    }
}
