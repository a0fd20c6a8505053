package dev.mawashi.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mawashi.bench.chart.Markup;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several benchmarks in one command, with a real peer and a Mawashi that does not start.
final class SuiteIT {
    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        Main main =
                new Main(
                        System.getenv(), InstantSource.system(), () -> List.of("/nowhere/mawashi"));
        return main.run(List.of(line.split(" ")), new PrintWriter(out), new PrintWriter(err));
    }

    @Test
    void aBenchmarkThatFailsDoesNotKeepTheNextFromRunning() throws IOException {
        Path page = folder.resolve("report.html");
        int code =
                run(
                        "boot --rows mri-1x1 --runs 1 --json boot --rows sidekiq-1x1 --runs 1"
                                + " --report "
                                + page);
        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("mawashi bench: 1 of 2 failed: boot");
        assertThat(out.toString().lines())
                .singleElement()
                .asString()
                .startsWith("{\"benchmarks\":[{\"bench\":\"boot\"")
                .contains("\"name\":\"sidekiq-1x1\"", "\"cores_busy\":[[")
                .contains("\"failed\":[{\"bench\":\"boot\",\"reason\":\"");
        String html = Files.readString(page);
        Markup.parse(html);
        assertThat(html).contains("Failed: ", "sidekiq-1x1", "boot --rows sidekiq-1x1 --runs 1");
    }

    /// Long: `aBenchmarkThatFailsDoesNotKeepTheNextFromRunning` is the quick one.
    @Tag("long")
    @Test
    void wrongUseOfALaterOneIsAFailureOfThatOne() {
        assertThat(run("boot --rows sidekiq-1x1 --runs 1 memory --app nowhere"))
                .isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("1 of 2 failed: memory");
        assertThat(out.toString()).contains("first job s");
    }
}
