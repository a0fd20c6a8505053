package dev.mawashi.children;

import java.util.List;
import java.util.Map;

/// The end of a child.
///
/// @param signal number of the signal that killed it; 0 when it ended by itself
/// @param status its exit status where no signal did
/// @param lastLines what it printed last
/// @param reason why it was killed, when that was the server; else ""
public record ChildEnd(int signal, int status, List<String> lastLines, String reason) {
    private static final Map<Integer, String> NAMES =
            Map.of(
                    4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9, "SIGKILL", 11,
                    "SIGSEGV", 15, "SIGTERM");

    /// Its parent ended and took all children along, or nobody knows how it ended.
    static final ChildEnd ORPHANED = new ChildEnd(0, -1, List.of());

    public ChildEnd {
        lastLines = List.copyOf(lastLines);
    }

    /// The end of a child that the server did not kill.
    ChildEnd(int signal, int status, List<String> lastLines) {
        this(signal, status, lastLines, "");
    }

    ChildEnd because(String reason) {
        return new ChildEnd(signal, status, lastLines, reason);
    }

    /// Whether it is known how this child ended. Otherwise its jobs may have had no part in it.
    public boolean isKnown() {
        return status >= 0;
    }

    /// `child killed by SIGKILL` or `child exited with status 3`, and what it printed last.
    public String describe() {
        if (!reason.isEmpty()) {
            return reason;
        }
        if (!isKnown()) {
            return "child ended with its parent process";
        }
        String how =
                signal == 0
                        ? "child exited with status " + status
                        : "child killed by " + NAMES.getOrDefault(signal, "signal " + signal);
        return lastLines.isEmpty() ? how : how + ": " + String.join(" | ", lastLines);
    }
}
