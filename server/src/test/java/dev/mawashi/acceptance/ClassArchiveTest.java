package dev.mawashi.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Servers start without an archive too, with a third more CPU, and nothing else would say so.
final class ClassArchiveTest {
    @Test
    void aStartTakesClassesOfLibrariesFromIt() throws Exception {
        List<String> command = new ArrayList<>(Programs.mawashiCommand("--version"));
        command.add(command.indexOf("-cp"), "-Xlog:class+load");
        Process start = new ProcessBuilder(command).redirectErrorStream(true).start();
        String loaded = new String(start.getInputStream().readAllBytes(), UTF_8);

        assertThat(start.waitFor()).as(loaded).isZero();
        assertThat(loaded.lines())
                .filteredOn(line -> line.contains(" picocli."))
                .anyMatch(line -> line.endsWith("source: shared objects file"));
    }
}
