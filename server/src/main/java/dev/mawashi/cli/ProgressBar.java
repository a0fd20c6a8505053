package dev.mawashi.cli;

import java.io.PrintWriter;
import java.util.Locale;

/// A line that fills up while a person waits. On anything but a terminal it prints nothing.
final class ProgressBar {
    private static final int WIDTH = 40;

    private final PrintWriter out;
    private final boolean isTerminal;
    private final long total;

    ProgressBar(PrintWriter out, boolean isTerminal, long total) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.total = total;
    }

    /// Draws the line.
    void show(long done, String what) {
        if (isTerminal) {
            int filled = (int) Math.min(WIDTH, done * WIDTH / Math.max(1, total));
            out.printf(
                    Locale.ROOT,
                    "\r[%s%s] %,d of %,d  %s\u001b[K",
                    "#".repeat(filled),
                    " ".repeat(WIDTH - filled),
                    done,
                    total,
                    what);
            out.flush();
        }
    }

    /// Wipes the line.
    void clear() {
        if (isTerminal) {
            out.print("\r\u001b[K");
            out.flush();
        }
    }
}
