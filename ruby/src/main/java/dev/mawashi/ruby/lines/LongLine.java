package dev.mawashi.ruby.lines;

import java.util.Arrays;

/// Gathers the parts of a line that does not end in the file's buffer.
final class LongLine {
    /// The longest array that every JVM can make.
    static final int BYTES_MAX = Integer.MAX_VALUE - 8;

    /// Up to here memory is taken without a look at what there is.
    static final int UNCHECKED_BYTES = 32 << 20;

    private static final int FIRST_BYTES = 4096;
    private static final int EXPECTED_BYTES_MAX = 1 << 20;
    private static final byte[] NONE = {};

    private byte[] bytes = NONE;
    private int length;
    private int expected = FIRST_BYTES;

    /// How much memory the JVM could still hand out, in bytes.
    private static long freeMemory() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /// @param atLeast room that the line is known to need
    /// @throws LineTooLong when that many bytes do not fit into an array or into memory
    void begin(long atLeast) {
        bytes = new byte[fitting(Math.max(atLeast, expected), atLeast)];
        length = 0;
    }

    /// @throws LineTooLong when the line no longer fits into an array or into memory
    void append(byte[] source, int from, int count) {
        long needed = (long) length + count;
        if (needed > bytes.length) {
            long wanted =
                    bytes.length < UNCHECKED_BYTES
                            ? 2L * bytes.length
                            : bytes.length + bytes.length / 2L;
            bytes = Arrays.copyOf(bytes, fitting(wanted, needed));
        }
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    /// An array that begins with so many bytes of the line, ours no more. What it has beyond them
    /// is at most a quarter, unless memory is short.
    byte[] handOver(int count) {
        byte[] all = bytes;
        bytes = NONE;
        expected = Math.min(Math.max(length, FIRST_BYTES), EXPECTED_BYTES_MAX);
        boolean isTight = all.length - count <= count / 4;
        boolean isShort = count > UNCHECKED_BYTES && count > freeMemory();
        return isTight || isShort ? all : Arrays.copyOf(all, count);
    }

    private static int fitting(long wanted, long needed) {
        long free = freeMemory();
        if (needed > UNCHECKED_BYTES && needed > free) {
            // What is garbage by now counts as taken.
            System.gc();
            free = freeMemory();
        }
        return capacity(wanted, needed, free);
    }

    /// How large an array to make.
    ///
    /// @param wanted so that it does not soon have to grow again
    /// @param needed at least
    /// @param free bytes of memory
    /// @throws LineTooLong when not even `needed` is to be had
    static int capacity(long wanted, long needed, long free) {
        if (needed > BYTES_MAX) {
            throw new LineTooLong(needed, "a string has at most " + BYTES_MAX);
        }
        long target = Math.min(Math.max(wanted, needed), BYTES_MAX);
        if (target <= UNCHECKED_BYTES || target <= free) {
            return (int) target;
        }
        // A quarter more than is needed, else what is needed.
        long modest = Math.min(needed + needed / 4, BYTES_MAX);
        if (modest <= free) {
            return (int) modest;
        }
        if (needed <= UNCHECKED_BYTES || needed <= free) {
            return (int) needed;
        }
        throw new LineTooLong(needed, "the JVM has room for " + free + " (raise -Xmx)");
    }
}
