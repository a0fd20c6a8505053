package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.SmallRun.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mawashi.bench.chart.Markup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The soak of `.ci/soak`, short: real servers that are restarted three times under load. Jobs that
/// are lost, run twice or are left fail it by itself.
///
/// Long: a trend needs time. TrendTest has what is made of the samples. In so short a time nothing
/// is warm, so the first test judges no growth; only `.ci/soak` shows that there is none.
@Tag("long")
final class SoakIT {
    private static final String SHORT = "soak --interval 1 --restart 20 --seconds 80 --growth 1000";

    @TempDir private Path folder;

    @Test
    void aServerUnderLoadThatIsRestartedLosesNothingAndIsWatched() throws Exception {
        CompletableFuture<String> mri =
                CompletableFuture.supplyAsync(() -> run(SHORT + " --rows mri-2x5 --json"));
        Path stem = folder.resolve("soak");
        String jruby = run(SHORT + " --rows jruby-10 --json --files " + stem);

        for (String json : List.of(jruby, mri.join())) {
            Map<String, Double> figures = SmallRun.figures(json);
            assertThat(figures.get("restarts")).isEqualTo(3);
            // 10 slots, 60 % of them busy with jobs of 50 ms, during restarts too.
            assertThat(figures.get("jobs")).isGreaterThan(9_500);
            assertThat(json).contains("open descriptors of all processes, within periods");
        }
        List<String> lines = Files.readAllLines(Path.of(stem + ".csv"));
        assertThat(lines.getFirst())
                .isEqualTo(
                        "row,run,seconds,memory_megabytes,threads,descriptors,keys,key_kilobytes,"
                                + "metric_keys");
        assertThat(lines).hasSizeGreaterThan(20).allMatch(line -> line.split(",").length == 9);
        Markup.parse(Files.readString(Path.of(stem + ".svg")));
    }

    @Test
    void aLeakIsFoundAlthoughEachRestartTakesItBack() {
        assertThatThrownBy(() ->
                        run(
                                "soak --interval 1 --restart 10 --seconds 40 --growth 1"
                                        + " --rows mri-1x5 --leak"))
                .hasMessageContaining("it grows: ")
                .hasMessageContaining("open descriptors of all processes, within periods by");
    }

    @Test
    void whatHasNoTrendIsRefused() {
        assertThatThrownBy(() -> run("soak --restart 20 --seconds 59"))
                .hasMessageContaining("--seconds 59 must be 3 times --restart 20 at least");
        assertThatThrownBy(() -> run("soak --rows sidekiq-2x5"))
                .hasMessageContaining("--rows: sidekiq-2x5 is not restarted here");
    }
}
