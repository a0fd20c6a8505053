package dev.mawashi.server;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Under whom this process works.
///
/// @param systemd null where systemd did not start it
/// @param predecessor null where it takes nobody's place
/// @param environment of this process
record Standing(
        @Nullable Systemd systemd,
        @Nullable Predecessor predecessor,
        Map<String, String> environment) {
    private static final String MAIN = "SYSTEMD_EXEC_PID";

    /// The systemd that can be given another main process in place of this one. The first process
    /// of a container has to stay, and a wrapper that systemd started is no server.
    Optional<Systemd> giver() {
        long pid = ProcessHandle.current().pid();
        boolean isMain = environment.getOrDefault(MAIN, "" + pid).equals("" + pid);
        return pid == 1 || !isMain || guardian().isPresent()
                ? Optional.empty()
                : Optional.ofNullable(systemd);
    }

    /// The process that a supervisor knows, where that is not this one.
    Optional<Predecessor.Guardian> guardian() {
        return Optional.ofNullable(predecessor).flatMap(Predecessor::guardian);
    }

    /// Of this process's code, from 1.
    int generation() {
        return predecessor == null ? 1 : predecessor.generation();
    }

    /// How many servers of older code live.
    int older() {
        return predecessor == null ? 0 : predecessor.older();
    }

    /// Jobs of older code, which use slots of this server.
    int heldByAll() {
        return predecessor == null ? 0 : predecessor.heldByAll();
    }

    int held(String capsule) {
        return predecessor == null ? 0 : predecessor.held(capsule);
    }
}
