package dev.mawashi.bench.command;

import static dev.mawashi.bench.command.SmallRun.figures;
import static dev.mawashi.bench.command.SmallRun.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Tag;
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

    /// Long: a server that warms up for five seconds.
    @Tag("long")
    @Test
    void kernelsAreCountedOnceTheirServersAreWarm() {
        String json = run("kernels --warm 5 --kernels json --rows mri-1x1 --json");

        Map<String, Double> figures = figures(json);
        assertThat(figures.get("warm_after_seconds")).isGreaterThanOrEqualTo(5);
        assertThat(figures.get("is_flat")).isZero();
        assertThat(figures.get("jobs_per_second_warm")).isPositive();
        assertThat(json).contains("\"name\":\"mri-1x1, json\"", "\"step_cpu_us_per_job\":[");
    }
}
