package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.SmallRun.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.bench.chart.Markup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `bench roll`, short. Jobs that are lost, run twice or change their code fail it by itself.
@Tag("long")
final class RollIT {
    @TempDir private Path folder;

    @Test
    void releasesUnderLoadLoseNothingAndEndJobsOnTheirCode() throws Exception {
        Path stem = folder.resolve("roll");

        String json =
                run(
                        "roll --seconds 60 --longest 15 --load 30 --rows mri-1x5 --json --files "
                                + stem);

        Map<String, Double> figures = SmallRun.figures(json);
        assertThat(figures.get("restarts")).isEqualTo(4);
        assertThat(figures.get("restarts_refused")).isEqualTo(1);
        // The first, and all but the broken one.
        assertThat(figures.get("releases")).isEqualTo(4);
        assertThat(figures.get("jobs_outlived")).isPositive();
        List<String> lines = Files.readAllLines(Path.of(stem + ".csv"));
        assertThat(lines.getFirst()).isEqualTo("row,run,seconds,jobs_per_second");
        assertThat(lines).hasSize(13);
        Markup.parse(Files.readString(Path.of(stem + ".svg")));
    }

    @Test
    void whatCannotBeRolledIsRefused() {
        assertThatThrownBy(() -> run("roll --seconds 29"))
                .hasMessageContaining("--seconds 29 must be from 30 to");
        assertThatThrownBy(() -> run("roll --longest 4"))
                .hasMessageContaining("--longest 4 must be from 5 to");
        assertThatThrownBy(() -> run("roll --rows sidekiq-2x5"))
                .hasMessageContaining("--rows: sidekiq-2x5 takes no new code while it runs");
    }
}
