package dev.mawashi.server;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/// This process's standard output, for what its children write to theirs: without a buffer, since
/// they write whole lines.
final class StandardOutput {
    private final FileOutputStream stream = new FileOutputStream(FileDescriptor.out);

    /// Writes lines that nobody else's come between. What cannot be written is gone: no log changes
    /// what comes of a job.
    synchronized void write(byte[] lines, int length) {
        try {
            stream.write(lines, 0, length);
        } catch (IOException _) {
            // There is nowhere to say it.
        }
    }
}
