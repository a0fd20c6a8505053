package dev.mawashi.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TallyTest {
    private static final Figures.Usage USAGE = new Figures.Usage(1.5, 0.5, 0);

    @TempDir Path folder;

    @Test
    void processesAreSummedInTheOrderOfTime() throws IOException {
        Files.writeString(folder.resolve("1.tally"), "10 0\n30 5\n");
        Files.writeString(folder.resolve("2.tally"), "20 1\n40 7\n");
        Tally tally = new Tally(folder);
        assertThat(tally.read()).isEqualTo(12);
        assertThat(tally.moments())
                .extracting(Tally.Moment::nanos, Tally.Moment::done)
                .containsExactly(tuple(10L, 0L), tuple(20L, 1L), tuple(30L, 6L), tuple(40L, 12L));
    }

    @Test
    void linesOfSingleJobsAreAddedUp() throws IOException {
        Files.writeString(folder.resolve("1.tally"), "10 +1\n30 +1\n40 +1\n");
        Tally tally = new Tally(folder);
        assertThat(tally.read()).isEqualTo(3);
        assertThat(tally.moments()).extracting(Tally.Moment::done).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aHalfWrittenLineIsReadWhenItIsWhole() throws IOException {
        Path file = folder.resolve("1.tally");
        Files.writeString(file, "10 0\n30 1");
        Tally tally = new Tally(folder);
        assertThat(tally.read()).isZero();
        Files.writeString(file, "10 0\n30 125\n");
        assertThat(tally.read()).isEqualTo(125);
    }

    @Test
    void figuresTellStartWorkAndCurve() {
        List<Tally.Moment> moments =
                List.of(
                        new Tally.Moment(2_000_000_000L, 0),
                        new Tally.Moment(2_250_000_000L, 100),
                        new Tally.Moment(2_500_000_000L, 400));
        Figures figures = Figures.of(400, 1_000_000_000L, moments, USAGE);
        assertThat(figures.startSeconds()).isEqualTo(1.0);
        assertThat(figures.workSeconds()).isEqualTo(0.5);
        assertThat(figures.totalSeconds()).isEqualTo(1.5);
        assertThat(figures.curve()).containsExactly(100L, 300L);
    }

    @Test
    void figuresOfAnUnfinishedRunAreRefused() {
        List<Tally.Moment> moments = List.of(new Tally.Moment(1, 3));
        assertThatThrownBy(() -> Figures.of(4, 0, moments, USAGE))
                .hasMessageContaining("only 3 jobs");
    }
}
