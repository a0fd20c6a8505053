package dev.mawashi.children;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads from Linux whether a process stands still.
final class ProcessState {
    /// By a signal. One that a debugger holds has a small `t`.
    private static final char STOPPED = 'T';

    private ProcessState() {}

    /// False too when unknown, as when it has ended.
    static boolean isStopped(long pid) {
        try {
            String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The state stands behind the name, which may hold anything.
            int state = line.lastIndexOf(')') + 2;
            return state > 1 && state < line.length() && line.charAt(state) == STOPPED;
        } catch (IOException _) {
            return false;
        }
    }
}
