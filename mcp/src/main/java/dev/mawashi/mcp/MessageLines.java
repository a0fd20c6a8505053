package dev.mawashi.mcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Splits a stream into lines of limited length. A longer line is passed over, and no more of it
/// kept than the limit.
final class MessageLines {
    /// Longest message, as of a request's body.
    static final int BYTES_MAX = 1 << 20;

    private final InputStream in;

    MessageLines(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /// @param bytes without the line's end
    /// @param isWhole false where it was longer than the limit
    record Line(byte[] bytes, boolean isWhole) {}

    /// @return null at the end of the stream
    @Nullable Line next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean isWhole = true;
        int one = in.read();
        if (one < 0) {
            return null;
        }
        for (; one >= 0 && one != '\n'; one = in.read()) {
            isWhole = line.size() < BYTES_MAX;
            if (isWhole) {
                line.write(one);
            }
        }
        return new Line(line.toByteArray(), isWhole);
    }
}
