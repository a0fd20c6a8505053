package dev.mawashi.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `./mawashi` and `./check` do in a checkout before they can build: the launcher's own
/// script, in a real shell.
final class BuildToolsTest {
    private static final Path SCRIPTS = Path.of("../bin").toAbsolutePath();

    @TempDir Path folder;

    @Test
    void whatTakesLongTellsWhatItIsAtAndKeepsStdoutFree() throws Exception {
        int status =
                run(
                        "with_progress mawashi log bash -c 'echo \"[INFO] --- compile @ core ---\";"
                                + " for i in {1..300}; do ! grep -q compile err || exit 3; sleep 0.2; done'");

        assertThat(status).isEqualTo(3);
        assertThat(folder.resolve("out")).isEmptyFile();
        assertThat(folder.resolve("err"))
                .content()
                .matches("(?s)mawashi: +\\d+ s: compile @ core ---\n.*");
        assertThat(folder.resolve("log")).content().contains("[INFO] --- compile @ core ---");
    }

    @Test
    void whatEndsAtOnceSaysNothing() throws Exception {
        assertThat(run("with_progress mawashi log echo done")).isZero();
        assertThat(folder.resolve("err")).isEmptyFile();
    }

    @ParameterizedTest
    @CsvSource({"25.0.5+8-1~deb13u1, 0", "(none), 1"})
    void whatAptCanInstallIsToldByItsCandidate(String candidate, int status) throws Exception {
        String policy = "printf \"maven:\\n  Candidate: " + candidate + "\\n%099999d\\n\" 0";

        assertThat(run("apt-cache() { " + policy + "; }; apt_has maven")).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "apt, apt-get install -y --no-install-recommends openjdk-25-jdk-headless maven",
        "apt bookworm, 'deb https://packages.adoptium.net/artifactory/deb bookworm main'",
        "apt bookworm, install -y --no-install-recommends temurin-25-jdk maven",
        "dnf, dnf install -y java-25-openjdk-devel maven",
        "brew, brew install openjdk@25 maven",
        "other, https://adoptium.net",
    })
    void eachSystemIsToldItsOwnLine(String system, String part) throws Exception {
        assertThat(run("how_to_install '" + system + "' openjdk-25-jdk-headless maven")).isZero();
        assertThat(folder.resolve("out")).content().contains(part).containsOnlyOnce("\n");
    }

    private int run(String command) throws IOException, InterruptedException {
        String sources = ". '%s/find-jdk.sh'; . '%s/build-tools.sh'; ".formatted(SCRIPTS, SCRIPTS);
        return new ProcessBuilder("bash", "-euo", "pipefail", "-c", sources + command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start()
                .waitFor();
    }
}
