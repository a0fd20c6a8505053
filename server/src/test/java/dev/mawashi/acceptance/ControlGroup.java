package dev.mawashi.acceptance;

import dev.mawashi.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/// A control group of a test's own, for a process that joins it by itself.
///
/// It needs a machine that lets this process make one, which takes root; elsewhere the test is not
/// run.
final class ControlGroup implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");

    private final Path folder;

    private ControlGroup(Path folder) {
        this.folder = folder;
    }

    /// With version 1 of control groups each controller has a tree of its own, and the group is
    /// made below that of this process. With version 2 a group that has processes can lend its
    /// children no controller, so it is made at the top.
    ///
    /// @param controller such as `pids`
    /// @param limits by name of their file; those of the other version are left out
    static ControlGroup make(String controller, Map<String, String> limits) {
        String name = "mawashi-test-" + ProcessHandle.current().pid();
        Path folder = null;
        try {
            folder = Files.createDirectory(parent(controller).resolve(name));
            boolean isLimited = false;
            for (Map.Entry<String, String> limit : limits.entrySet()) {
                Path file = folder.resolve(limit.getKey());
                if (Files.exists(file)) {
                    Files.writeString(file, limit.getValue(), StandardOpenOption.WRITE);
                    isLimited = true;
                }
            }
            if (isLimited) {
                return new ControlGroup(folder);
            }
            Files.delete(folder);
        } catch (IOException cannot) {
            delete(folder);
            return Assumptions.abort("no control group can be made here: " + cannot);
        }
        return Assumptions.abort("control groups here have no " + limits.keySet());
    }

    private static void delete(Path folder) {
        try {
            if (folder != null) {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path parent(String controller) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            String[] words = line.split(":", 3);
            if (words[1].equals(controller)) {
                return ROOT.resolve(controller).resolve(words[2].substring(1));
            }
        }
        return ROOT;
    }

    /// Where a process that wants to join writes its pid.
    Path door() {
        return folder.resolve("cgroup.procs");
    }

    /// Pids of its processes.
    List<Long> members() {
        try {
            return Files.readAllLines(door()).stream().map(Long::valueOf).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Kills what is left in it, and removes it.
    @Override
    public void close() {
        Eventually.until("the group is empty", this::isEmptyOnceKilled);
        delete(folder);
    }

    private boolean isEmptyOnceKilled() {
        List<Long> members = members();
        members.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        return members.isEmpty();
    }
}
