package dev.mawashi.wire;

/// Finds bytes in bytes, of which no copy is made: they may be many.
public final class ByteSearch {
    private ByteSearch() {}

    /// Whether some bytes stand between two places of others.
    ///
    /// @param to the place after the last one
    public static boolean isIn(byte[] bytes, int from, int to, byte[] wanted) {
        if (wanted.length == 0) {
            return true;
        }
        byte first = wanted[0];
        for (int at = from; at <= to - wanted.length; at++) {
            if (bytes[at] == first && isAt(bytes, at, wanted)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAt(byte[] bytes, int at, byte[] wanted) {
        for (int i = 1; i < wanted.length; i++) {
            if (bytes[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
