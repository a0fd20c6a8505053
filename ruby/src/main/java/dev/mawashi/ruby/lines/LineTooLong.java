package dev.mawashi.ruby.lines;

import java.io.Serial;

/// A line does not fit into one string. Becomes Ruby's `IOError`, which a job can rescue, where the
/// JVM's own error would end the server.
final class LineTooLong extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    LineTooLong(long bytes, String reason) {
        super("a line is too long: " + bytes + " bytes and more, " + reason);
    }
}
