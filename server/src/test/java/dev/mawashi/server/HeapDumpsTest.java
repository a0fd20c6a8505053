package dev.mawashi.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.answer.Answers;
import dev.mawashi.wire.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Heaps of this JVM, written and not.
final class HeapDumpsTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(7));

    @TempDir Path folder;

    @Test
    void aFileGetsItsNameOnceItIsWholeAndIsNeverWrittenOver() throws IOException {
        HeapDumps dumps = new HeapDumps(() -> folder, CLOCK);
        JsonObject report = JsonObject.of(dumps.ofJvm());

        Path file = folder.resolve("jvm-" + ProcessHandle.current().pid() + "-7.hprof");
        assertThat(report.text("file")).isEqualTo(file.toString());
        assertThat(report.number("bytes")).isEqualTo(Files.size(file)).isGreaterThan(1 << 20);
        Files.writeString(
                folder.resolve(file.getFileName().toString().replace("-7.", "-7.part.")), "");
        assertThatThrownBy(dumps::ofJvm)
                .isInstanceOf(Answers.Unanswerable.class)
                .hasMessageContaining("the heap cannot be written: ");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void whereThereIsNoRoomNothingIsBegun() {
        HeapDumps dumps = new HeapDumps(() -> Path.of("/proc"), CLOCK);

        assertThatThrownBy(dumps::ofJvm)
                .isInstanceOf(Answers.Unanswerable.class)
                .hasMessageMatching(
                        "/proc has 0 MiB free, and the dump may take [\\d,]+: make room, or set"
                                + " TMPDIR");
    }
}
