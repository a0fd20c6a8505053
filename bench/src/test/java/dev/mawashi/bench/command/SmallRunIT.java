package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.SmallRun.figures;
import static dev.mawashi.bench.command.SmallRun.run;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What makes a race: real servers, from their start to their figures. RaceIT, StintIT and LookIT
/// have all the others.
final class SmallRunIT {
    @Test
    void theFirstJobEndsAfterTheStart() {
        assertThat(figures(run("boot --rows mri-1x1 --json")).get("first_job_seconds"))
                .isPositive();
    }

    @Test
    void everyRowOfShaDoesAllJobs() {
        assertThat(run("sha --jobs 400 --rows mri-1x4,mri-2x5 --json"))
                .contains("\"name\":\"mri-1x4\"", "\"name\":\"mri-2x5\"", "\"jobs\":400")
                .contains("\"jobs_per_second\":", "\"cpu_us_per_job\":");
    }
}
