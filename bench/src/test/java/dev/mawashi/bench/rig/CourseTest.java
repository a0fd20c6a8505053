package dev.mawashi.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CourseTest {
    private static final long STARTED = 1_000_000_000L;

    @TempDir Path folder;

    private Run run(int jobs, String lines) throws IOException {
        Files.writeString(folder.resolve("1.tally"), lines);
        Tally tally = new Tally(folder);
        assertThat(tally.read()).isEqualTo(jobs);
        return Course.of(jobs, STARTED, tally);
    }

    @Test
    void ratesAreOfTheTimesThatTheJobsNoted() throws IOException {
        Run run = run(30, "2000000000 1\n2500000000 15\n4500000000 30\n");

        assertThat(run.of("jobs_per_second")).isEqualTo(30 / 3.5);
        assertThat(run.of("jobs_per_second_working")).isEqualTo(30 / 2.5);
        assertThat(run.of("jobs_per_second_second_half")).isEqualTo(15 / 2.0);
    }

    @Test
    void whereOneMomentTellsAllTheRateIsThatOfTheWhole() throws IOException {
        Run run = run(30, "2500000000 30\n");

        assertThat(run.of("jobs_per_second")).isEqualTo(20);
        assertThat(run.of("jobs_per_second_working")).isEqualTo(20);
        assertThat(run.of("jobs_per_second_second_half")).isEqualTo(20);
    }
}
