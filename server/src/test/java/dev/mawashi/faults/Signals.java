package dev.mawashi.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// Sends signals to processes that the rig has started, or that those have.
final class Signals {
    private Signals() {}

    /// @param name such as `STOP`
    static void send(long pid, String name) {
        try {
            int _ = new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// The processes below one, the nearest first.
    static List<ProcessHandle> below(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .filter(ProcessHandle::isAlive)
                .toList();
    }
}
