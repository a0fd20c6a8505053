package dev.mawashi.ruby;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What children need in the file system.
final class ChildrenFilesIT {
    private static final String PROCESS = "process-";

    @TempDir Path folder;

    @Test
    void whatACleanerRemovedIsMadeAgainForTheNextParent() throws IOException {
        try (ChildrenRig rig = new ChildrenRig(folder, 1, 1).start()) {
            rig.push("before", "TellJob", "[]");
            rig.capsule().awaitEnded(1);
            long parent = parent(rig.ownFolder());
            delete(rig.ownFolder());
            ProcessHandle.of(parent).orElseThrow().destroyForcibly();
            Eventually.until("it was missed", () -> !rig.troubles().isEmpty());

            rig.push("after", "TellJob", "[]");
            rig.capsule().awaitEnded(2);
            assertThat(rig.told("told")).hasSize(2);
        }
    }

    private static long parent(Path own) throws IOException {
        try (Stream<Path> files = Files.list(own)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(PROCESS))
                    .mapToLong(name -> Long.parseLong(name.split("-", 3)[1]))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void delete(Path own) throws IOException {
        try (Stream<Path> files = Files.walk(own)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        }
    }
}
