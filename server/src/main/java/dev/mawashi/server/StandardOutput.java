package dev.mawashi.server;

/// This process's standard output, for what its children write to theirs: nothing stays in a
/// buffer, since they write whole lines.
final class StandardOutput {
    /// Writes lines that nobody else's come between. What cannot be written is gone: no log changes
    /// what comes of a job.
    synchronized void write(byte[] lines, int length) {
        // It throws nothing: there is nowhere to say it.
        System.out.write(lines, 0, length);
        System.out.flush();
    }
}
