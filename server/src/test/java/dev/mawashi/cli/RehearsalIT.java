package dev.mawashi.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.acceptance.Child;
import dev.mawashi.acceptance.Programs;
import dev.mawashi.embedded.EmbeddedRedis;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RehearsalIT {
    /// One that failed would leave every later start without a cache.
    @Test
    void eachCommandEndsWell() {
        EmbeddedRedis redis = EmbeddedRedis.temporary(System.getenv());
        assertThat(Rehearsal.rehearse("commands", redis)).isTrue();
    }

    /// In a process of its own, since it finds the demo's app by its home.
    @Test
    void aServerOfRubyProcessesDoesItsJobs(@TempDir Path folder) {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xss16m",
                        "-Dmawashi.home=" + Path.of("..").toAbsolutePath().normalize(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.mawashi.cli.Rehearsal",
                        "children");
        try (Programs programs = new Programs(folder, "redis://127.0.0.1:1/0")) {
            Child rehearsal = programs.start("rehearsal", command, Map.of());
            assertThat(rehearsal.awaitExit()).as(rehearsal::log).isZero();
        }
    }
}
