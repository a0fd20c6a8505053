package dev.mawashi.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TallyTest {
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
    void figuresTellStartWorkAndCurve() throws IOException {
        Files.writeString(
                folder.resolve("1.tally"), "2000000000 0\n2250000000 70\n2500000000 350\n");
        Files.writeString(folder.resolve("2.tally"), "2240000000 30\n2400000000 50\n");
        Run run = Course.of(400, 1_000_000_000L, tally());
        assertThat(run.of("start_seconds")).isEqualTo(1.0);
        assertThat(run.of("work_seconds")).isEqualTo(1.5 - 1.0);
        assertThat(run.of("total_seconds")).isEqualTo(1.5);
        assertThat(run.of("least_jobs_of_a_process")).isEqualTo(50);
        assertThat(run.list("curve_jobs")).containsExactly(100.0, 300.0);
    }

    @Test
    void figuresOfAnUnfinishedRunAreRefused() throws IOException {
        Files.writeString(folder.resolve("1.tally"), "1 3\n");
        assertThatThrownBy(() -> Course.of(4, 0, tally())).hasMessageContaining("only 3 jobs");
    }

    private Tally tally() {
        Tally tally = new Tally(folder);
        assertThat(tally.read()).isPositive();
        return tally;
    }
}
